import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const folder = join(import.meta.dirname, '..', 'kit', 'recordings');

const exchange = z.object({
  response: z.object({ status: z.int(), body: z.string() }).optional(),
  frames: z.array(z.object({ channel: z.int().optional(), text: z.string().optional() })).optional(),
  status: z.int().optional(),
  body: z.unknown().optional(),
  bodyBase64: z.string().optional(),
});

const recording = z.object({
  podBefore: z.unknown().optional(),
  podsAfter: z.array(z.unknown()).optional(),
  exchanges: z.array(exchange).optional(),
  steps: z.array(exchange).optional(),
});

export type Recording = z.infer<typeof recording>;

export function readRecording(name: string): Recording {
  return recording.parse(readJson(`${name}.json`));
}

/** The initial pods of the recordings that have one, with the name of the recording. */
export function podsBefore(): readonly (readonly [recording: string, pod: unknown])[] {
  const names = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return names.flatMap((file) => {
    const name = file.slice(0, -'.json'.length);
    const { data } = recording.safeParse(readJson(file));
    return data?.podBefore === undefined ? [] : [[name, data.podBefore] as const];
  });
}

export function podsAfter(): readonly unknown[] {
  return z.object({ items: z.array(z.unknown()) }).parse(readJson('pods-after.json')).items;
}

/** The final message on the status channel of the only exec, or of the n-th. */
export function statusFrame(name: string, index = 0): string {
  const { steps, exchanges } = readRecording(name);
  const frames = (steps ?? exchanges ?? [])[index]?.frames ?? [];
  const text = frames.find(({ channel }) => channel === 3)?.text;
  if (text === undefined) throw new Error(`the recording ${name} has no status frame`);
  return text;
}

export function refusedUpgrade(name: string): { readonly status: number; readonly body: string } {
  const { steps, exchanges } = readRecording(name);
  const response = (steps ?? exchanges ?? [])[0]?.response;
  if (!response) throw new Error(`the recording ${name} has no refused upgrade`);
  return response;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}
