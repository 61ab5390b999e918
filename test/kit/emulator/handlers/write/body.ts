import type { KubeObject } from '../../world/objects.ts';
import type { Call } from '../call.ts';
import { apiVersionOf, type Resource } from '../resources.ts';
import { badRequest } from '../status.ts';
import { pruneUnknownFields } from './known-fields.ts';

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw badRequest(
      "couldn't get version/kind; json parse error: invalid character looking for beginning of value",
    );
  }
}

/** Reads the object in a request's body and checks it against the path. */
export function readObject({ request, resource, info }: Call): { object: KubeObject; warnings: string[] } {
  const parsed = parseJson(request.body);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw badRequest(
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}`,
    );
  }
  const object = parsed as Partial<KubeObject>;
  checkKind(resource, object);
  const metadata = { ...object.metadata } as KubeObject['metadata'];
  if (metadata.namespace && metadata.namespace !== info.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (info.name !== '' && info.verb === 'update' && metadata.name !== info.name) {
    throw badRequest(
      `the name of the object (${metadata.name ?? ''}) does not match the name on the URL (${info.name})`,
    );
  }
  const whole = {
    ...object,
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: { ...metadata, ...(info.namespace === '' ? {} : { namespace: info.namespace }) },
  };
  return checkFields(resource, whole, request.query.get('fieldValidation') ?? 'Warn');
}

function checkKind(resource: Resource, { kind, apiVersion }: Partial<KubeObject>): void {
  const wanted = apiVersionOf(resource);
  if ((kind ?? resource.kind) === resource.kind && (apiVersion ?? wanted) === wanted) return;
  throw badRequest(
    `${kind ?? ''} in version "${apiVersion ?? ''}" cannot be handled as a ${resource.kind}: ` +
      `converting (${apiVersion}.${kind}) to (${wanted}.${resource.kind}): unknown conversion`,
  );
}

/** Drops unknown fields, or refuses them if the client asks for strict validation. */
export function checkFields(
  resource: Resource,
  object: KubeObject,
  fieldValidation: string,
): { object: KubeObject; warnings: string[] } {
  checkMetadataTypes(resource, object);
  const { pruned, unknown } = pruneUnknownFields(resource.resource, object);
  const problems = unknown.map((field) => `unknown field "${field}"`);
  if (fieldValidation === 'Strict' && problems.length > 0) {
    throw badRequest(
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ` +
        `strict decoding error: ${problems.join(', ')}`,
    );
  }
  return { object: pruned, warnings: fieldValidation === 'Ignore' ? [] : problems };
}

/** Labels and annotations are strings; YAML reads an unquoted `1` or `true` as something else. */
function checkMetadataTypes({ kind, version }: Resource, { metadata }: KubeObject): void {
  for (const field of ['labels', 'annotations'] as const) {
    for (const value of Object.values<unknown>(metadata[field] ?? {})) {
      if (typeof value === 'string') continue;
      throw badRequest(
        `${kind} in version "${version}" cannot be handled as a ${kind}: json: cannot unmarshal ${goType(value)} ` +
          `into Go struct field ObjectMeta.metadata.${field} of type string`,
      );
    }
  }
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** The header with the warnings that kubectl prints. */
export function warningHeader(warnings: readonly string[]): Record<string, string> {
  if (warnings.length === 0) return {};
  return { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(', ') };
}
