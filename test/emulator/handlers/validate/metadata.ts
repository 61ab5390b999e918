import type { KubeObject } from '../../world/objects.ts';
import type { Resource } from '../resources.ts';
import { type FieldProblem, invalid } from '../status.ts';

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const maxAnnotationBytes = 262_144;

/** Validates the metadata of any object: a DNS name, and at most 256 KiB of annotations. */
export function validateMetadata(resource: Resource, { metadata }: KubeObject): void {
  const problems: FieldProblem[] = [];
  const { name, annotations = {} } = metadata;
  // RBAC names are path segments: anything without / and %.
  const valid = resource.group === 'rbac.authorization.k8s.io' ? !/[/%]/.test(name) : subdomain.test(name);
  if (!valid || name.length > 253) {
    problems.push({
      field: 'metadata.name',
      reason: 'FieldValueInvalid',
      message:
        `Invalid value: ${JSON.stringify(name)}: a lowercase RFC 1123 subdomain must consist of lower case ` +
        `alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. ` +
        `'example.com', regex used for validation is ` +
        `'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    });
  }
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes > maxAnnotationBytes) {
    problems.push({
      field: 'metadata.annotations',
      reason: 'FieldValueInvalid',
      message: `Too long: may not be more than ${maxAnnotationBytes} bytes`,
    });
  }
  if (problems.length > 0) throw invalid(resource.kind, resource.group, name, problems);
}
