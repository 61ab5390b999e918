import type { ApiRequest } from './answer.ts';
import { StatusError } from './status.ts';

/**
 * kubectl sends the few objects it creates with typed clients as protobuf: access reviews, namespaces, roles.
 * A Message maps field numbers to the name and type of each field.
 */
interface Message {
  readonly [field: number]: readonly [name: string, holds: Holds];
}

type Holds = 'text' | 'texts' | 'number' | 'map' | Message | readonly [Message];

const metadata: Message = {
  1: ['name', 'text'],
  2: ['generateName', 'text'],
  3: ['namespace', 'text'],
  5: ['uid', 'text'],
  6: ['resourceVersion', 'text'],
  11: ['labels', 'map'],
  12: ['annotations', 'map'],
};

const resourceAttributes: Message = {
  1: ['namespace', 'text'],
  2: ['verb', 'text'],
  3: ['group', 'text'],
  4: ['version', 'text'],
  5: ['resource', 'text'],
  6: ['subresource', 'text'],
  7: ['name', 'text'],
};

const accessReviewSpec: Message = {
  1: ['resourceAttributes', resourceAttributes],
  2: ['nonResourceAttributes', { 1: ['path', 'text'], 2: ['verb', 'text'] }],
};

const rule: Message = {
  1: ['verbs', 'texts'],
  2: ['apiGroups', 'texts'],
  3: ['resources', 'texts'],
  4: ['resourceNames', 'texts'],
  5: ['nonResourceURLs', 'texts'],
};

const role: Message = { 1: ['metadata', metadata], 2: ['rules', [rule]] };

const binding: Message = {
  1: ['metadata', metadata],
  2: [
    'subjects',
    [{ 1: ['kind', 'text'], 2: ['apiGroup', 'text'], 3: ['name', 'text'], 4: ['namespace', 'text'] }],
  ],
  3: ['roleRef', { 1: ['apiGroup', 'text'], 2: ['kind', 'text'], 3: ['name', 'text'] }],
};

const deleteOptions: Message = {
  1: ['gracePeriodSeconds', 'number'],
  2: ['preconditions', { 1: ['uid', 'text'], 2: ['resourceVersion', 'text'] }],
  4: ['propagationPolicy', 'text'],
  5: ['dryRun', 'texts'],
};

const kinds: Readonly<Record<string, Message>> = {
  SelfSubjectAccessReview: { 2: ['spec', accessReviewSpec] },
  SubjectAccessReview: {
    2: ['spec', { ...accessReviewSpec, 3: ['user', 'text'], 4: ['groups', 'texts'] }],
  },
  SelfSubjectRulesReview: { 2: ['spec', { 1: ['namespace', 'text'] }] },
  SelfSubjectReview: {},
  Namespace: { 1: ['metadata', metadata] },
  ServiceAccount: { 1: ['metadata', metadata] },
  ConfigMap: { 1: ['metadata', metadata], 2: ['data', 'map'] },
  TokenRequest: {
    1: ['metadata', metadata],
    2: ['spec', { 1: ['audiences', 'texts'], 4: ['expirationSeconds', 'number'] }],
  },
  Eviction: { 1: ['metadata', metadata], 2: ['deleteOptions', deleteOptions] },
  DeleteOptions: deleteOptions,
  Role: role,
  ClusterRole: role,
  RoleBinding: binding,
  ClusterRoleBinding: binding,
};

const magic = 'k8s\0';

/** The request with its body as JSON; a protobuf body is converted. */
export function withJsonBody(request: ApiRequest): ApiRequest {
  if (request.headers['content-type'] !== 'application/vnd.kubernetes.protobuf') return request;
  if (request.body.length === 0) return request;
  const { typeMeta, raw } = readEnvelope(request.body);
  const message = kinds[typeMeta.kind ?? ''];
  if (!message) {
    throw new StatusError(
      415,
      'UnsupportedMediaType',
      `the emulator cannot decode protobuf of kind ${typeMeta.kind}; send JSON`,
    );
  }
  const object = { ...typeMeta, ...decode(raw, message) };
  return { ...request, body: Buffer.from(JSON.stringify(object)) };
}

/** Every object is wrapped in an envelope with its apiVersion and kind. */
function readEnvelope(body: Buffer): { typeMeta: { apiVersion?: string; kind?: string }; raw: Buffer } {
  const typeMeta: Message = { 1: ['apiVersion', 'text'], 2: ['kind', 'text'] };
  let raw: Buffer = Buffer.alloc(0);
  for (const { field, bytes } of fieldsOf(body.subarray(magic.length))) if (field === 2) raw = bytes;
  const { typeMeta: named } = decode(body.subarray(magic.length), { 1: ['typeMeta', typeMeta] });
  return { typeMeta: (named ?? {}) as { apiVersion?: string; kind?: string }, raw };
}

function decode(bytes: Buffer, message: Message): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const { field, number, bytes: content } of fieldsOf(bytes)) {
    const [name, holds] = message[field] ?? [];
    if (name === undefined || holds === undefined) continue;
    if (holds === 'number') object[name] = number;
    else if (holds === 'text') {
      // Go's protobuf includes empty strings; its JSON omits them.
      if (content.length > 0) object[name] = content.toString();
    } else if (holds === 'texts') object[name] = [...asList(object[name]), content.toString()];
    else if (holds === 'map') object[name] = { ...(object[name] ?? {}), ...decodeEntry(content) };
    else if (isRepeated(holds)) object[name] = [...asList(object[name]), decode(content, holds[0])];
    else object[name] = decode(content, holds);
  }
  return object;
}

function decodeEntry(bytes: Buffer): Record<string, string> {
  const { key = '', value = '' } = decode(bytes, { 1: ['key', 'text'], 2: ['value', 'text'] });
  return { [String(key)]: String(value) };
}

function isRepeated(holds: Message | readonly [Message]): holds is readonly [Message] {
  return Array.isArray(holds);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

interface Field {
  readonly field: number;
  readonly number: number;
  readonly bytes: Buffer;
}

/** The fields of a message: varints and byte strings. Kubernetes uses no other wire types here. */
function* fieldsOf(bytes: Buffer): Generator<Field> {
  let offset = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; offset < bytes.length; factor *= 128) {
      const byte = bytes[offset++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (offset < bytes.length) {
    const key = varint();
    const field = key >> 3;
    if ((key & 7) === 0) yield { field, number: varint(), bytes: Buffer.alloc(0) };
    else {
      const length = varint();
      yield { field, number: 0, bytes: bytes.subarray(offset, offset + length) };
      offset += length;
    }
  }
}
