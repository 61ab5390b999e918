import { isDeepStrictEqual } from 'node:util';
import { asIn124, isOf124 } from './kubernetes-1-24.ts';
import { type Aliases, killedOrNot, normalise } from './normalise.ts';
import { readList } from './protobuf.ts';
import type { Exchange, JobMoment, Observations, Recording, WholeMoment } from './recording.ts';

/** The comparable parts of a recording and its replay, in the same shape. */
export interface Comparison {
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** Normalises a recording and its replay so that they must be equal. */
export function compare(
  recording: Recording,
  replay: Observations,
  aliases: Aliases = new Map(),
): Comparison {
  const names = Object.keys(recording).filter((name) => !description.has(name)) as (keyof Observations)[];
  const ends = (recording.timeline?.length ?? 0) > 1;
  const known = isOf124(recording) ? asIn124 : (_name: keyof Observations, value: unknown) => value;
  const pick = (from: Observations) =>
    Object.fromEntries(
      names.map((name) => {
        const exchanged = name === 'steps' || name === 'exchanges';
        const value = exchanged && ends ? killedOrNot(from[name] ?? []) : from[name];
        return [name, inOrder(name, normalise(comparable(name, known(name, value)), aliases))];
      }),
    );
  return { recorded: pick(recording), replayed: pick(replay) };
}

export function agrees({ recorded, replayed }: Comparison): boolean {
  return isDeepStrictEqual(recorded, replayed);
}

/** The fields that describe the recording itself. */
// biome-ignore format: as many as fit on a line
const description = new Set([
  'file', 'name', 'about', 'kubernetes', 'containerRuntime', 'jobSpec', 'batch', 'done', 'kind',
  'apiVersion', 'metadata',
]);

function comparable(name: keyof Observations, value: unknown): unknown {
  if (name === 'timeline') return milestones(value);
  if (name !== 'exchanges' && name !== 'steps') return value;
  return ((value ?? []) as Exchange[]).map(({ request, step, ...exchange }) => ({
    ...exchange,
    ...(exchange.bodyBase64 === undefined ? {} : { bodyBase64: readList(exchange.bodyBase64) }),
    ...(exchange.headers ? { headers: comparableHeaders(exchange) } : {}),
  }));
}

/**
 * The length of a body counts only if nothing in it may differ and the recorder omitted nothing. It omitted
 * the managed fields of objects.
 */
function comparableHeaders({
  headers = {},
  bodyBase64,
  body = bodyBase64,
}: Pick<Exchange, 'headers' | 'body' | 'bodyBase64'>): Record<string, string> {
  const { 'content-length': length, ...others } = headers;
  if (length === undefined) return others;
  const whole = typeof body === 'string' || (body as { kind?: string } | undefined)?.kind === 'Status';
  const fixed = whole && isDeepStrictEqual(normalise(body), body);
  return { ...others, 'content-length': fixed ? length : '<length>' };
}

const lists: ReadonlySet<keyof Observations> = new Set([
  'podsBefore',
  'podsAfter',
  'podStatusAfter',
  'items',
]);

/** Lists are sorted by name, and names end in random letters, so the order differs between runs. */
function inOrder(name: keyof Observations, value: unknown): unknown {
  if (!lists.has(name)) return value;
  const key = (pod: { name?: string; metadata?: { name: string } }) => pod.metadata?.name ?? pod.name ?? '';
  return [...((value ?? []) as object[])].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** Of all that happened, what a recorder saw that looked now and then; everything, if it saw something else. */
export function asPolled(
  { timeline = [] }: Recording,
  moments: readonly WholeMoment[],
  aliases: Aliases,
): readonly WholeMoment[] {
  const known = (timeline: readonly WholeMoment[]) =>
    normalise(comparableMoments(timeline), aliases) as unknown[];
  const recorded = known(timeline as readonly WholeMoment[]);
  const replayed = known(moments);
  const seen: WholeMoment[] = [];
  let from = 0;
  for (const one of recorded) {
    const at = replayed.findIndex((other, index) => index >= from && isDeepStrictEqual(other, one));
    const moment = moments[at];
    if (!moment) return moments;
    seen.push(moment);
    from = at + 1;
  }
  return seen;
}

/** Container IDs only tell whether it is the same container; pods are compared by name. */
function comparableMoments(moments: readonly WholeMoment[]): readonly object[] {
  return moments.map(({ pods, job }) => ({
    job,
    pods: Object.entries(pods).map(([name, { containers, ...pod }]) => ({
      name,
      ...pod,
      containers: containers.map(({ containerID, ...container }) => container),
    })),
  }));
}

/**
 * What is certain about a Job with many pods, however they come one after the other: how it began and ended,
 * and each time when the restarts of its pods that had not ended were at their most.
 */
function milestones(timeline: unknown): unknown {
  const moments = (timeline ?? []) as readonly JobMoment[];
  const [first] = moments;
  if (!first?.pods) return timeline;
  if (!('restarts' in first)) return comparableMoments(timeline as readonly WholeMoment[]);
  const peaks = moments.filter(({ restarts }, index) => {
    const others = moments.slice(index + 1);
    const change = others.find((other) => other.restarts !== restarts);
    return restarts > (moments[index - 1]?.restarts ?? 0) && (change?.restarts ?? 0) < restarts;
  });
  const conditions = moments.map(({ job }) => job.conditions ?? []);
  return {
    first: withoutTime(first),
    peaks: peaks.map(({ pods, restarts }) => ({ pods, restarts })),
    conditions: conditions.filter((each, index) => !isDeepStrictEqual(each, conditions[index - 1])),
    phases: [...new Set(moments.flatMap(({ pods }) => Object.keys(pods)))].sort(),
    last: withoutTime(moments.at(-1) ?? first),
  };
}

function withoutTime({ ms, ...moment }: JobMoment) {
  return moment;
}
