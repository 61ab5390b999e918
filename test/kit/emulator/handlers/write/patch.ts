import jsonPatch from 'fast-json-patch';
import { isObject } from '../../protobuf/encode.ts';
import type { KubeObject } from '../../world/objects.ts';
import { type Answer, type ApiRequest, json } from '../answer.ts';
import { type Call, present } from '../call.ts';
import { badRequest, StatusError } from '../status.ts';
import { checkFields, parseJson, warningHeader } from './body.ts';
import { commitChange } from './update.ts';

/** PATCH in every form except server-side apply. */
export function patchObject(call: Call): Answer {
  const { request, resource } = call;
  const apply = readPatch(request);
  let warnings: string[] = [];
  const updated = commitChange(call, (current) => {
    const patched = apply(present(resource, current));
    const checked = checkFields(resource, patched, request.query.get('fieldValidation') ?? 'Warn');
    warnings = checked.warnings;
    return checked.object;
  });
  return json(200, present(resource, updated), warningHeader(warnings));
}

function readPatch(request: ApiRequest): (object: KubeObject) => KubeObject {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim();
  const patch = parseJson(request.body);
  switch (type) {
    case 'application/json-patch+json':
      return (object) => applyJsonPatch(object, patch);
    case 'application/merge-patch+json':
      return (object) => merge(object, patch, 'Whole') as KubeObject;
    case 'application/strategic-merge-patch+json':
      return (object) => merge(object, patch, 'ByKey') as KubeObject;
    default:
      throw new StatusError(
        415,
        'UnsupportedMediaType',
        'the body of the request was in an unknown format - accepted media types include: ' +
          'application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json',
        { details: {} },
      );
  }
}

function applyJsonPatch(object: KubeObject, patch: unknown): KubeObject {
  if (!Array.isArray(patch))
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value');
  try {
    return jsonPatch.applyPatch(structuredClone(object), patch, true).newDocument;
  } catch {
    // The server answers a failed `test` and a missing path alike, without saying which it was.
    const message = 'the server rejected our request due to an error in our request';
    throw new StatusError(422, 'Invalid', message, { details: {} });
  }
}

/** The key by which the elements of each list merge. Other lists are replaced as a whole. */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  env: 'name',
  ports: 'containerPort',
  volumes: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  conditions: 'type',
  ownerReferences: 'uid',
  secrets: 'name',
  taints: 'key',
};

type JsonObject = Record<string, unknown>;

/** How a merge patch replaces lists: as a whole (RFC 7386), or element by element, as a strategic one does. */
type Lists = 'Whole' | 'ByKey';

/** null removes, objects merge, other values replace. */
function merge(target: unknown, patch: unknown, lists: Lists): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    // The order of a list whose elements are merged matters to nothing here.
    if (key.startsWith('$setElementOrder/')) continue;
    if (key.startsWith('$')) throw new Error(`the emulator does not know the directive ${key} of a patch`);
    if (value === null) delete result[key];
    else if (lists === 'ByKey' && Array.isArray(value)) result[key] = mergeList(key, result[key], value);
    else result[key] = merge(result[key], value, lists);
  }
  return result;
}

function mergeList(field: string, target: unknown, patch: readonly unknown[]): readonly unknown[] {
  const current: readonly unknown[] = Array.isArray(target) ? target : [];
  if (field === 'finalizers') return [...new Set([...current, ...patch])];
  const by = mergeKeys[field];
  if (by === undefined) return patch;
  const keyOf = (item: unknown) => (isObject(item) ? item[by] : item);
  const result = [...current];
  for (const item of patch) {
    const index = result.findIndex((each) => keyOf(each) === keyOf(item));
    if (isObject(item) && item['$patch'] === 'delete') {
      if (index >= 0) result.splice(index, 1);
    } else if (index >= 0) result[index] = merge(result[index], item, 'ByKey');
    else result.push(merge({}, item, 'ByKey'));
  }
  return result;
}
