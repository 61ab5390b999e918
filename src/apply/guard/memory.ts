import { createHash } from 'node:crypto';
import type { Notebook } from '../../model/ports.ts';
import type { Clock, Millis } from '../../util/time.ts';

/** What earlier sweeps have noted: the pods that showed it are gone within seconds. */
export interface Memory {
  /** Whether an earlier sweep noted that this promise was broken. */
  knows(promise: string): Promise<boolean>;
  /** Notes it for the next sweep, and for the other shards of this one. */
  note(promise: string): void;
  /** When an earlier sweep sent something whose time it did not wait for; undefined if nobody has noted that. */
  begun(what: string): Promise<Begun | undefined>;
  /** Notes it, once, when the sweep settles. */
  begin(what: string, begun: Begun): void;
  /** Resolves when all notes are written, or cannot be. */
  settled(): Promise<void>;
}

/** When a step was sent, and until when it may still work. */
export interface Begun {
  readonly at: Millis;
  readonly due: Millis;
}

interface Note {
  /** A hash, because arguments may hold secrets. */
  readonly hash: string;
  readonly at: Millis;
  /** Only of a step that was begun. */
  readonly due?: Millis;
}

/** A program may have been mended, so that it is tried once more after this. */
const timeToForget: Millis = 30 * 24 * 3_600_000;
/** What a sidecar has outlived for so long may be sent to it once more. */
const timeToSendAgain: Millis = 24 * 3_600_000;
/** The newest of each kind are kept. An annotation may have 256 KiB; these are 20. */
const mostNotes = 200;
const version = 1;
const triesToWrite = 5;

/** Without a notebook, only what the cluster still shows is known. */
export function createMemory(notebook: Notebook | undefined, clock: Clock, abort: AbortSignal): Memory {
  if (!notebook) return forgetful;
  // One note is written after the other.
  let writing: Promise<void> = Promise.resolve();
  let reading: Promise<readonly Note[]> | undefined;
  const begun: Note[] = [];
  const read = () => {
    reading ??= notebook
      .read(abort)
      .then((page) => parseNotes(page?.text ?? '', clock.now()))
      .catch(() => []);
    return reading;
  };
  const write = (notes: readonly Note[]) => {
    writing = writing.then(() => add(notes, notebook, clock, abort)).catch(() => undefined);
  };
  return {
    async knows(promise) {
      const hash = hashOf(promise);
      return (await read()).some((note) => note.hash === hash);
    },
    note: (promise) => write([{ hash: hashOf(promise), at: clock.now() }]),
    async begun(what) {
      const hash = hashOf(what);
      const { at, due } = (await read()).find((note) => note.hash === hash) ?? {};
      return at === undefined || due === undefined ? undefined : { at, due };
    },
    begin: (what, { at, due }) => void begun.push({ hash: hashOf(what), at, due }),
    settled() {
      if (begun.length > 0) write(begun.splice(0));
      return writing;
    },
  };
}

const forgetful: Memory = {
  knows: async () => false,
  note: () => undefined,
  begun: async () => undefined,
  begin: () => undefined,
  settled: async () => undefined,
};

async function add(
  notes: readonly Note[],
  notebook: Notebook,
  clock: Clock,
  abort: AbortSignal,
): Promise<void> {
  const added = new Set(notes.map(({ hash }) => hash));
  for (let tries = 0; tries < triesToWrite; tries++) {
    const page = await notebook.read(abort);
    const others = parseNotes(page?.text ?? '', clock.now()).filter(({ hash }) => !added.has(hash));
    const text = formatNotes([...notes, ...others]);
    // Another shard has written in between: its notes must not be lost.
    if ((await notebook.write(text, page?.version, abort)) !== 'Conflict') return;
  }
}

/** The notes in a text that are not too old; a text of another version has none. */
export function parseNotes(text: string, now: Millis): readonly Note[] {
  const [head, ...lines] = text.split('\n');
  if (head !== `v${version}`) return [];
  return lines.flatMap((line) => {
    const [, hash, seconds, dueSeconds] = /^([0-9a-f]{16}) (\d{1,12})(?: (\d{1,12}))?$/.exec(line) ?? [];
    if (hash === undefined) return [];
    const at = Number(seconds) * 1_000;
    if (dueSeconds === undefined) return now - at < timeToForget ? [{ hash, at }] : [];
    const due = Number(dueSeconds) * 1_000;
    return now - due < timeToSendAgain ? [{ hash, at, due }] : [];
  });
}

function formatNotes(notes: readonly Note[]): string {
  const newest = [...notes].sort((one, other) => other.at - one.at);
  const learnt = newest.filter(({ due }) => due === undefined).slice(0, mostNotes);
  const begun = newest.filter(({ due }) => due !== undefined).slice(0, mostNotes);
  return [`v${version}`, ...[...learnt, ...begun].map(formatNote)].join('\n');
}

function formatNote({ hash, at, due }: Note): string {
  const times = [at, ...(due === undefined ? [] : [due])].map((time) => Math.floor(time / 1_000));
  return [hash, ...times].join(' ');
}

function hashOf(promise: string): string {
  return createHash('sha256').update(promise).digest('hex').slice(0, 16);
}
