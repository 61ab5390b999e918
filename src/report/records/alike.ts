import type { PodReport } from '../schema.ts';
import { sidecarsOf } from '../sweep/planned.ts';
import { type Fields, kindOf } from './fields.ts';

// Of pods that are alike, the first is written whole, the others as what differs and is not in their fields.

/** Equal for pods that are alike; others differ in too much. */
export function kindOfPod(pod: PodReport): string {
  const sidecars = sidecarsOf(pod).map(({ name, image, outcome }) => [name, image, kindOf(outcome)]);
  return JSON.stringify([pod.outcome.kind, pod.owner?.kind, pod.containers.length, sidecars]);
}

export function toDifference(first: PodReport, pod: PodReport): unknown {
  return difference(withoutFields(first), withoutFields(pod)) ?? {};
}

/** The pod again; it may be anything if the lines are not ours. */
export function fromDifference(first: PodReport, entry: unknown, fields: Fields): unknown {
  const pod = patched(withoutFields(first), entry);
  if (!isComposed(pod)) return pod;
  return {
    ...pod,
    namespace: fields['k8s.namespace.name'],
    name: fields['k8s.pod.name'],
    uid: fields['k8s.pod.uid'],
    node: fields['k8s.node.name'],
  };
}

/** A record has these beside its entry. */
function withoutFields({ namespace: _namespace, name: _name, uid: _uid, node: _node, ...pod }: PodReport) {
  return pod;
}

/** A JSON merge patch (RFC 7386) that also goes into lists of one length; undefined if nothing differs. */
function difference(from: unknown, to: unknown): unknown {
  if (!isComposed(from) || !isComposed(to) || Array.isArray(from) !== Array.isArray(to))
    return from === to ? undefined : to;
  if (Array.isArray(from) && from.length !== Object.keys(to).length) return to;
  const gone = Object.keys(from).filter((key) => from[key] !== undefined && to[key] === undefined);
  const changed = Object.entries(to).flatMap(([key, value]) => {
    const changes = value === undefined ? undefined : difference(from[key], value);
    return changes === undefined ? [] : [[key, changes] as const];
  });
  const all = [...gone.map((key) => [key, null] as const), ...changed];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

function patched(from: unknown, changes: unknown): unknown {
  if (!isComposed(changes) || Array.isArray(changes)) return changes;
  if (Array.isArray(from))
    return from.map((item, index) => (Object.hasOwn(changes, index) ? patched(item, changes[index]) : item));
  const before = isComposed(from) ? from : {};
  const kept = Object.entries(before).filter(([key]) => !Object.hasOwn(changes, key));
  const set = Object.entries(changes).filter(([, value]) => value !== null);
  return Object.fromEntries([...kept, ...set.map(([key, value]) => [key, patched(before[key], value)])]);
}

function isComposed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
