import { createHash } from 'node:crypto';
import type { HarmKind } from '../model/job.ts';
import type { PodName, PodRef } from '../model/pod.ts';
import type { Notebook } from '../model/ports.ts';
import type { PlannedStep } from '../plan/sweep-plan.ts';
import type { Clock, Millis } from '../util/time.ts';

/** What a sweep leaves for the next ones: the pods that showed it are gone within seconds. */
export type Note = BrokenNote | BegunNote | HarmNote;

/** A promise that a sidecar broke; `what` is a hash, because arguments may hold secrets. */
interface BrokenNote {
  readonly kind: 'Broken';
  readonly namespace: string;
  readonly what: string;
  readonly at: Millis;
}

/** A step that may still work after the sweep has ended, until it is due. */
interface BegunNote {
  readonly kind: 'Begun';
  readonly namespace: string;
  readonly what: string;
  readonly at: Millis;
  readonly due: Millis;
}

/** Harm that a sweep did, for the next report to repeat. */
interface HarmNote {
  readonly kind: 'Harmed';
  readonly namespace: string;
  readonly job: string;
  readonly pod: string;
  readonly harm: HarmKind;
  readonly at: Millis;
}

/** The notes of earlier sweeps, and those of this one. */
export interface Notes {
  /** Whether an earlier sweep saw this promise broken. */
  isBroken(promise: string): boolean;
  /** When an earlier sweep sent a step whose time it did not wait for. */
  begun(step: string): Pick<BegunNote, 'at' | 'due'> | undefined;
  /** Harm that earlier sweeps did, and that no report has repeated yet. */
  readonly harms: readonly HarmNote[];
  add(note: Note): void;
  /** Whether the next sweep can read what was added; resolves when it is written, or cannot be. */
  written(abort: AbortSignal): Promise<boolean>;
}

/** An image that could not be started may soon be there, so that this is forgotten earlier. */
export function brokenNote(
  promise: string,
  namespace: string,
  at: Millis,
  by: 'Unclean' | 'NotStarted' = 'Unclean',
): Note {
  const since = by === 'Unclean' ? at : at - timeToForget + timeToSendAgain;
  return { kind: 'Broken', namespace, what: hashOf(promise), at: since };
}

export function begunNote(step: string, namespace: string, at: Millis, due: Millis): Note {
  return { kind: 'Begun', namespace, what: hashOf(step), at, due };
}

export function harmNote({ namespace, name }: PodName, job: string, harm: HarmKind, at: Millis): Note {
  return { kind: 'Harmed', namespace, job, pod: name, harm, at };
}

/** A step to one instance of a container, the same in every sweep, whatever is known meanwhile of how it ends a sidecar. */
export function nameOfStep({ uid }: PodRef, containerId: string, step: PlannedStep): string {
  const { grace, exitCode, whyUnknown, source, blocked, raisesLimit, promisedBy, ...does } = step;
  return JSON.stringify([uid, containerId, does]);
}

/** A program may have been mended, so that it is tried once more after this. */
const timeToForget: Millis = 30 * 24 * 3_600_000;
/** What a sidecar has outlived for so long may be sent to it once more. */
const timeToSendAgain: Millis = 24 * 3_600_000;
/** An annotation may have 256 KiB, in all. */
const mostBytes = 30_000;
const version = 'v2';
const triesToWrite = 5;

/** Reads the notes of earlier sweeps; without a notebook, only what the cluster still shows is known. */
export async function readNotes(
  notebook: Notebook | undefined,
  clock: Clock,
  abort: AbortSignal,
): Promise<Notes> {
  const read = async (until: AbortSignal) => {
    const page = await notebook?.read(until).catch(() => undefined);
    return { page, notes: parseNotes(page?.text ?? '', clock.now()) };
  };
  const { notes } = await read(abort);
  const added: Note[] = [];
  const harms = notes.filter((note) => note.kind === 'Harmed');
  const broken = new Set(notes.flatMap((note) => (note.kind === 'Broken' ? note.what : [])));
  return {
    harms,
    isBroken: (promise) => broken.size > 0 && broken.has(hashOf(promise)),
    begun(step) {
      const what = hashOf(step);
      return notes.find((note): note is BegunNote => note.kind === 'Begun' && note.what === what);
    },
    add: (note) => void added.push(note),
    async written(until) {
      if (!notebook || added.length + harms.length === 0) return added.length === 0;
      const told = new Set(harms.map(formatNote));
      const renewed = new Set(added.map(subjectOf));
      for (let tries = 0; tries < triesToWrite; tries++) {
        const latest = await read(until);
        const others = latest.notes.filter(
          (note) => !told.has(formatNote(note)) && !renewed.has(subjectOf(note)),
        );
        const text = formatNotes([...added, ...others]);
        // Another shard has written in between: its notes must not be lost.
        const result = await notebook.write(text, latest.page?.version, until).catch(() => 'Failed');
        if (result !== 'Conflict') return result === 'Written';
      }
      return false;
    },
  };
}

/** The notes in a text that are not too old; a text of another version has none. */
export function parseNotes(text: string, now: Millis): readonly Note[] {
  const [head, ...lines] = text.split('\n');
  return head === version ? lines.flatMap((line) => parseNote(line, now)) : [];
}

const name = '[a-z0-9.-]{1,253}';
const patterns = {
  Broken: new RegExp(`^broken (${name}) ([0-9a-f]{16}) (\\d{1,12})$`),
  Begun: new RegExp(`^begun (${name}) ([0-9a-f]{16}) (\\d{1,12}) (\\d{1,12})$`),
  Harmed: new RegExp(
    `^harmed (${name}) (${name}) (${name}) (RunsAgain|IndexFailed|JobFailed|PodFailed) (\\d{1,12})$`,
  ),
} as const;

function parseNote(line: string, now: Millis): readonly Note[] {
  const [, namespace = '', what = '', at = '', due = ''] =
    patterns.Broken.exec(line) ?? patterns.Begun.exec(line) ?? [];
  if (due !== '') {
    const note = { kind: 'Begun', namespace, what, at: millis(at), due: millis(due) } as const;
    return now - note.due < timeToSendAgain ? [note] : [];
  }
  if (at !== '') {
    const note = { kind: 'Broken', namespace, what, at: millis(at) } as const;
    return now - note.at < timeToForget ? [note] : [];
  }
  const [, of = '', job = '', pod = '', harm = '', since = ''] = patterns.Harmed.exec(line) ?? [];
  if (since === '') return [];
  const note = {
    kind: 'Harmed',
    namespace: of,
    job,
    pod,
    harm: harm as HarmKind,
    at: millis(since),
  } as const;
  return now - note.at < timeToForget ? [note] : [];
}

/** The newest notes of each namespace in turn, so that none can push out those of another. */
function formatNotes(notes: readonly Note[]): string {
  const rounds = new Map<string, number>();
  const placed = [...notes]
    .sort((one, other) => other.at - one.at)
    .map((note) => {
      const round = rounds.get(note.namespace) ?? 0;
      rounds.set(note.namespace, round + 1);
      return { line: formatNote(note), round };
    })
    .sort((one, other) => one.round - other.round);
  const lines = [version];
  let bytes = version.length;
  for (const { line } of placed) {
    bytes += line.length + 1;
    if (bytes > mostBytes) break;
    lines.push(line);
  }
  return lines.join('\n');
}

function formatNote(note: Note): string {
  const { namespace } = note;
  switch (note.kind) {
    case 'Broken':
      return `broken ${namespace} ${note.what} ${seconds(note.at)}`;
    case 'Begun':
      return `begun ${namespace} ${note.what} ${seconds(note.at)} ${seconds(note.due)}`;
    case 'Harmed':
      return `harmed ${namespace} ${note.job} ${note.pod} ${note.harm} ${seconds(note.at)}`;
  }
}

/** What a newer note replaces. */
function subjectOf(note: Note): string {
  return note.kind === 'Harmed' ? `harmed ${note.namespace}/${note.pod}` : `${note.kind} ${note.what}`;
}

function millis(text: string): Millis {
  return Number(text) * 1_000;
}

function seconds(time: Millis): number {
  return Math.floor(time / 1_000);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
