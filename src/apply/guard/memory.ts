import { createHash } from 'node:crypto';
import type { Millis } from '../../duration.ts';
import type { Clock, Notebook } from '../../ports.ts';

/** What earlier sweeps have learnt of programs that end unclean: the pods that taught it are gone within seconds. */
export interface Memory {
  /** Whether an earlier sweep noted a container that was started alike. */
  knows(alike: string): Promise<boolean>;
  /** Notes it for the next sweep, and for the other shards of this one. */
  note(alike: string): void;
  /** Resolves when all notes are written, or cannot be: they save canaries, no more. */
  settled(): Promise<void>;
}

interface Note {
  /** A hash, because arguments may hold secrets. */
  readonly hash: string;
  readonly at: Millis;
}

/** A program may have been mended, so that it is tried once more after this. */
const timeToForget: Millis = 30 * 24 * 3_600_000;
/** The newest are kept. An annotation may have 256 KiB; these are 10. */
const mostNotes = 200;
const version = 1;
const triesToWrite = 5;

/** Without a notebook, only what the cluster still shows is known. */
export function createMemory(notebook: Notebook | undefined, clock: Clock, abort: AbortSignal): Memory {
  if (!notebook) return { knows: async () => false, note: () => undefined, settled: async () => undefined };
  // One note is written after the other.
  let writing: Promise<void> = Promise.resolve();
  let read: Promise<readonly Note[]> | undefined;
  return {
    async knows(alike) {
      read ??= notebook
        .read(abort)
        .then((page) => parseNotes(page?.text ?? '', clock.now()))
        .catch(() => []);
      const hash = hashOf(alike);
      return (await read).some((note) => note.hash === hash);
    },
    note(alike) {
      const note: Note = { hash: hashOf(alike), at: clock.now() };
      writing = writing.then(() => add(note, notebook, clock, abort)).catch(() => undefined);
    },
    settled: () => writing,
  };
}

async function add(note: Note, notebook: Notebook, clock: Clock, abort: AbortSignal): Promise<void> {
  for (let tries = 0; tries < triesToWrite; tries++) {
    const page = await notebook.read(abort);
    const others = parseNotes(page?.text ?? '', clock.now()).filter(({ hash }) => hash !== note.hash);
    const text = formatNotes([note, ...others]);
    // Another shard has written in between: its notes must not be lost.
    if ((await notebook.write(text, page?.version, abort)) !== 'Conflict') return;
  }
}

/** The notes in a text that are not too old; a text of another version has none. */
export function parseNotes(text: string, now: Millis): readonly Note[] {
  const [head, ...lines] = text.split('\n');
  if (head !== `v${version}`) return [];
  return lines.flatMap((line) => {
    const [, hash, seconds] = /^([0-9a-f]{16}) (\d{1,12})$/.exec(line) ?? [];
    if (hash === undefined) return [];
    const at = Number(seconds) * 1_000;
    return now - at < timeToForget ? [{ hash, at }] : [];
  });
}

function formatNotes(notes: readonly Note[]): string {
  const newest = [...notes].sort((one, other) => other.at - one.at).slice(0, mostNotes);
  return [`v${version}`, ...newest.map(({ hash, at }) => `${hash} ${Math.floor(at / 1_000)}`)].join('\n');
}

function hashOf(alike: string): string {
  return createHash('sha256').update(alike).digest('hex').slice(0, 16);
}
