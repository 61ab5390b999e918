import type { Exchange, Frame } from './recording.ts';

/** Names that are equivalent: a recorded pod's and its replayed pod's. */
export type Aliases = ReadonlyMap<string, string>;

/**
 * Replaces only what differs between runs and machines: uids, times, pod IPs, container and image IDs,
 * resourceVersions, random suffixes.
 */
export function normalise(value: unknown, aliases: Aliases = new Map()): unknown {
  return walk(value, '', aliases);
}

function walk(value: unknown, key: string, aliases: Aliases): unknown {
  if (typeof value === 'string') {
    if (key === 'resourceVersion') return '<resourceVersion>';
    if (key === 'continue') return continueToken(value);
    return text(value, aliases);
  }
  if (Array.isArray(value)) {
    const whole = key === 'frames' ? joinFrames(value as NormalFrame[]) : value;
    const items = whole.map((item) => walk(item, key, aliases));
    return key === 'ephemeralContainerStatuses' ? items.map(endedWithItsTarget) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    // The time, and the UIDs of the real server's priority levels and flow schemas.
    .filter(([field]) => field !== 'ms' && !field.startsWith('x-kubernetes-pf-'))
    .map(([field, inner]) => [field, walk(inner, field, aliases)] as const);
  return Object.fromEntries(entries);
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  // The year 1970 is kept: it means that a container never started.
  [/\b(?!1970)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\b10\.88\.\d+\.\d+\b/g, '<podIP>'],
  [/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-<suffix>'],
  [/\br4-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, 'r4-<suffix>'],
  [/\b([Pp]od[.-]|a{58})[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1<suffix>'],
  [/too old resource version: (\d+) \(\d+\)/g, 'too old resource version: $1 (<resourceVersion>)'],
  // A diff of Go structs, which the emulator does not have.
  [/\n@@ -\d[\s\S]*$/, ''],
  // The limit of queued signals depends on the machine; the name of user 1337 depends on the image.
  [/SigQ:\t\d+\/\d+/g, 'SigQ:\t<limit>'],
  [/\b([ug]id=\d+)\([a-z0-9_-]+\)/g, '$1'],
];

function text(value: string, aliases: Aliases): string {
  let result = value;
  for (const [from, to] of aliases) result = result.replaceAll(from, to);
  for (const [pattern, to] of patterns) result = result.replace(pattern, to);
  return processList(numberIds(result));
}

/** Numbers the IDs of containers, images and cgroups, so that equal IDs in a text stay equal. */
function numberIds(value: string): string {
  const numbers = new Map<string, number>();
  return value.replace(/\b[0-9a-f]{64}\b/g, (id) => {
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return `<id ${number}>`;
  });
}

/** Normalises a listing of /proc, which is sorted by PID: all PIDs but 1 differ between runs. */
function processList(value: string): string {
  if (!/^\/proc\/1 /m.test(value)) return value;
  const lines = value.split('\n').map((line) => line.replace(/^\/proc\/(?!1 )\d+ /, '/proc/<pid> '));
  return lines.sort().join('\n');
}

function continueToken(token: string): unknown {
  const { rv, ...rest } = JSON.parse(Buffer.from(token, 'base64url').toString());
  // -1 is not a version: it marks an inconsistent continuation.
  return { rv: rv === -1 ? rv : '<resourceVersion>', ...rest };
}

interface NormalFrame {
  readonly channel?: number;
  readonly sent?: number;
  readonly text: string;
}

/** Joins consecutive frames of a stream, whose boundaries vary. Empty frames have a meaning and stay. */
function joinFrames(frames: readonly NormalFrame[]): NormalFrame[] {
  const joined: NormalFrame[] = [];
  for (const frame of frames) {
    const last = joined.at(-1);
    const continues =
      last !== undefined &&
      last.channel === frame.channel &&
      last.sent === frame.sent &&
      last.text !== '' &&
      frame.text !== '';
    if (continues) joined[joined.length - 1] = { ...last, text: last.text + frame.text };
    else joined.push(frame);
  }
  return joined;
}

/*
 * A process that signals PID 1 of its own PID namespace races with the end of that namespace. It exits 0
 * first, or dies with all others. Both happened on a real node, too. Only these two results count as equal.
 */

const success = '{"metadata":{},"status":"Success"}';
/** The second form is that of a kubelet that answers v4 itself. */
const killed =
  /^\{"metadata":\{\},"status":"Failure","message":"command terminated with non-zero exit code: (command terminated with|error executing command \[[^"\]]+\],) exit code 137","reason":"NonZeroExitCode","details":\{"causes":\[\{"reason":"ExitCode","message":"137"\}\]\}\}$/;

/** Normalises the status of the exec that ended its container: the last step of such a recording. */
export function killedOrNot(steps: readonly Exchange[]): Exchange[] {
  const either = (frame: Frame): Frame =>
    frame.text === success || killed.test(frame.text) ? { ...frame, text: '<Success, or killed>' } : frame;
  return steps.map((step, index) =>
    index === steps.length - 1 && step.frames ? { ...step, frames: step.frames.map(either) } : step,
  );
}

/** Normalises the status of an ephemeral container that ended its target. */
function endedWithItsTarget(status: unknown): unknown {
  const { state, ...rest } = status as { state: { terminated?: { exitCode: number; reason: string } } };
  const { exitCode, reason, ...terminated } = state.terminated ?? {};
  const either = (exitCode === 0 && reason === 'Completed') || (exitCode === 137 && reason === 'Error');
  return either ? { ...rest, state: { terminated, end: '<Completed, or killed>' } } : status;
}
