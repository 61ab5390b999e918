import type { Pod } from '../../world/objects.ts';

type Spec = Pod['spec'];

/** The fields of the server's internal PodSpec, in its order. */
const order =
  `volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds
  activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName automountServiceAccountToken nodeName
  securityContext imagePullSecrets hostname subdomain setHostnameAsFQDN affinity schedulerName tolerations
  hostAliases priorityClassName priority preemptionPolicy dnsConfig readinessGates runtimeClassName overhead
  enableServiceLinks topologySpreadConstraints os schedulingGates resourceClaims resources hostnameOverride`
    .split(/\s+/)
    .filter(Boolean);

/**
 * The difference as in the server's refusal: a unified diff of the internal objects. The line numbers differ
 * from the real server's, whose containers and volumes have many more empty fields.
 */
export function podSpecDiff(before: Spec, after: Spec): string {
  return unifiedDiff(dump(before), dump(after));
}

function dump(spec: Spec): string[] {
  const ordered = Object.fromEntries(order.map((field) => [internalName(field), spec[field] ?? null]));
  return JSON.stringify(internal(ordered), null, 1).split('\n');
}

function internal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(internal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [internalName(key), internal(inner)]),
  );
}

function internalName(field: string): string {
  return field.startsWith('dns')
    ? `DNS${field.slice(3)}`
    : `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}

const context = 3;

/** A diff with a single hunk around all differences. */
function unifiedDiff(before: readonly string[], after: readonly string[]): string {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const start = Math.max(0, head - context);
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const lead = before.slice(start, head);
  const trail = before.slice(before.length - tail, before.length - tail + context);
  const length = lead.length + trail.length;
  return [
    `@@ -${start + 1},${length + removed.length} +${start + 1},${length + added.length} @@`,
    ...lead.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...trail.map((line) => ` ${line}`),
    '',
  ].join('\n');
}
