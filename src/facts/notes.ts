import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { HarmKind } from '../model/job.ts';
import type { PodRef } from '../model/pod.ts';
import type { Notebook } from '../model/ports.ts';
import type { Value } from '../model/schema.ts';
import { inRounds } from '../plan/order.ts';
import type { PlannedStep } from '../plan/sweep-plan.ts';
import { parseJson } from '../util/json.ts';
import type { Clock, Millis } from '../util/time.ts';

const name = z.string().regex(/^[a-z0-9.-]{1,253}$/);
/** A hash instead of the step itself, whose arguments may hold secrets. */
const hash = z.string().regex(/^[0-9a-f]{16}$/);
const text = z.string().max(1_024);
const time = z.int().nonnegative();
/** Not the schema of reports, which takes long to load. */
const harmKind = z.enum(['RunsAgain', 'IndexFailed', 'JobFailed'] satisfies HarmKind[]);
const expected = z.literal(true).optional();

/** A record for later sweeps, because the pods that showed it are gone within seconds. */
const note = z.discriminatedUnion('kind', [
  // A promise that a sidecar broke.
  z.object({ kind: z.literal('Broken'), namespace: name, what: hash, at: time }),
  // A step that may still work after the sweep has ended, until it is due.
  z.object({ kind: z.literal('Begun'), namespace: name, what: hash, at: time, due: time }),
  // A sidecar that may end by a step after the sweep, which costs this if it ends with a code other than 0.
  z.object({
    kind: z.literal('Unseen'),
    namespace: name,
    pod: name,
    uid: text,
    container: name,
    containerId: text,
    swappedFor: text.optional(),
    promises: z.array(hash),
    // The uid only under OnFailure, where a Job that fails removes its pods.
    harm: z.object({ job: name, uid: text.optional(), kind: harmKind }).optional(),
    // Until when what was sent may end the sidecar.
    due: time,
    at: time,
  }),
  // Harm that a sweep did, for the next report to repeat.
  z.object({
    kind: z.literal('Harmed'),
    namespace: name,
    job: name,
    pod: name,
    harm: harmKind,
    expected,
    at: time,
  }),
]);

export type Note = Value<typeof note>;
export type NoteOf<Kind extends Note['kind']> = Extract<Note, { readonly kind: Kind }>;

export interface Notes {
  isBroken(promise: string): boolean;
  /** When an earlier sweep sent a step whose time it did not wait for. */
  begun(step: string): Pick<NoteOf<'Begun'>, 'at' | 'due'> | undefined;
  /** Harm that earlier sweeps did, and that no report has repeated yet. */
  readonly harms: readonly NoteOf<'Harmed'>[];
  /** Sidecars whose end an earlier sweep did not see, except for those that were dropped. */
  readonly unseen: readonly NoteOf<'Unseen'>[];
  add(note: Note): void;
  /** Forgets a note of an earlier sweep, or what this one has made of it. */
  drop(note: Note): void;
  /** Whether the next sweep misses nothing of what was added; resolves when it is written, or cannot be. */
  written(abort: AbortSignal): Promise<boolean>;
}

/** An image that could not be started may soon be there, so that this is forgotten earlier. `what` is a hash. */
export function brokenNote(
  what: string,
  namespace: string,
  at: Millis,
  by: 'Unclean' | 'NotStarted' = 'Unclean',
): Note {
  const since = by === 'Unclean' ? at : at - timeToForget + timeToSendAgain;
  return { kind: 'Broken', namespace, what, at: since };
}

/** A step to one instance of a container, the same in every sweep, even if more has become known about how it ends a sidecar. */
export function nameOfStep({ uid }: PodRef, containerId: string, step: PlannedStep): string {
  const { grace, exitCode, whyUnknown, source, blocked, promisedBy, only, raisesLimit, images, ...rest } =
    step;
  return JSON.stringify([uid, containerId, { ...rest, platform: undefined }]);
}

/** A program may have been mended, so that it is tried once more after this. */
const timeToForget: Millis = 30 * 24 * 3_600_000;
/** How long after a sidecar has outlived a step it may be sent that step again. */
const timeToSendAgain: Millis = 24 * 3_600_000;
/** An annotation may have 256 KiB, in all. */
const mostBytes = 60_000;
const version = 'v3';
const triesToWrite = 5;

/**
 * Reads the notes of earlier sweeps; without a notebook, only what the cluster still shows is known.
 * @param ahead How far the cluster's clock is ahead of this machine's: notes have the cluster's time, because the next sweep may run
 *   on another machine.
 */
export async function readNotes(
  notebook: Notebook | undefined,
  clock: Clock,
  abort: AbortSignal,
  ahead: Millis = 0,
): Promise<Notes> {
  const read = async (until: AbortSignal) => {
    const page = await notebook?.read(until).catch(() => undefined);
    const parsed = parseNotes(page?.text ?? '', clock.now() + ahead);
    return { page, notes: parsed.map((one) => movedBy(one, -ahead)) };
  };
  const { notes } = await read(abort);
  const added = new Map<string, Note>();
  const harms = notes.filter((one) => one.kind === 'Harmed');
  const unseen = notes.filter((one) => one.kind === 'Unseen');
  const dropped = new Set<Note>(harms);
  const broken = new Set(notes.flatMap((one) => (one.kind === 'Broken' ? one.what : [])));
  // Most sidecars that seem to have outlived their steps have.
  const seemsOver = (one: Note) => one.kind === 'Unseen' && one.due <= clock.now();
  return {
    harms,
    isBroken: (promise) => broken.size > 0 && broken.has(hashOf(promise)),
    begun(step) {
      const what = hashOf(step);
      return notes.find((one): one is NoteOf<'Begun'> => one.kind === 'Begun' && one.what === what);
    },
    get unseen() {
      return unseen.filter((one) => !dropped.has(one));
    },
    add(one) {
      if (!notebook && seemsOver(one)) return;
      added.set(subjectOf(one), one);
      if (one.kind === 'Broken') broken.add(one.what);
    },
    drop(one) {
      dropped.add(one);
      added.delete(subjectOf(one));
    },
    async written(until) {
      const isMissed = [...added.values()].some((one) => !seemsOver(one));
      if (!notebook || added.size + dropped.size === 0) return !isMissed;
      const over = new Set([...dropped].map((one) => JSON.stringify(one)));
      for (let tries = 0; tries < triesToWrite; tries++) {
        const latest = await read(until);
        const others = latest.notes.filter(
          (one) => !over.has(JSON.stringify(one)) && !added.has(subjectOf(one)),
        );
        const text = formatNotes([...added.values(), ...others].map((one) => movedBy(one, ahead)));
        // Another shard has written in between: its notes must not be lost.
        const result = await notebook.write(text, latest.page?.version, until).catch(() => 'Failed');
        if (result !== 'Conflict') return result === 'Written' || !isMissed;
      }
      return !isMissed;
    },
  };
}

function movedBy(one: Note, time: Millis): Note {
  const moved = { ...one, at: Math.round(one.at + time) };
  return 'due' in moved ? { ...moved, due: Math.round(moved.due + time) } : moved;
}

/** The notes in a text that are not too old; a text of another version has none. */
export function parseNotes(text: string, now: Millis): readonly Note[] {
  const [head, ...lines] = text.split('\n');
  return head === version ? lines.flatMap(parseNote).filter((one) => !isOld(one, now)) : [];
}

function parseNote(line: string): readonly Note[] {
  const { data } = note.safeParse(parseJson(line));
  return data ? [data] : [];
}

function isOld(one: Note, now: Millis): boolean {
  return 'due' in one ? now - one.due >= timeToSendAgain : now - one.at >= timeToForget;
}

/** Those without which a sweep may do harm again come first. */
const kinds: readonly Note['kind'][] = ['Broken', 'Harmed', 'Begun', 'Unseen'];

/** The newest notes of each namespace in turn, so that none can push out those of another. */
function formatNotes(notes: readonly Note[]): string {
  const rankOf = ({ kind }: Note) => kinds.indexOf(kind);
  const newest = notes.toSorted((one, other) => rankOf(one) - rankOf(other) || other.at - one.at);
  const lines = [version];
  let bytes = version.length;
  for (const one of inRounds(newest, ({ namespace }) => namespace)) {
    const line = JSON.stringify(one);
    bytes += line.length + 1;
    if (bytes > mostBytes) break;
    lines.push(line);
  }
  return lines.join('\n');
}

function subjectOf(one: Note): string {
  if ('what' in one) return `${one.kind} ${one.what}`;
  return `${one.kind} ${one.namespace}/${one.pod}${one.kind === 'Unseen' ? `/${one.container}` : ''}`;
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
