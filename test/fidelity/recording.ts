import { readdirSync, readFileSync } from 'node:fs';
import type { Job, Pod } from '../emulator/index.ts';

/** An exchange recorded with a real cluster. */
export interface Exchange {
  readonly step?: string;
  readonly request: RecordedRequest;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** WebSocket frames in order; those with `sent` went to the server. */
  readonly frames?: readonly Frame[];
  readonly upgrade?: { readonly status: number; readonly protocol: string };
  readonly close?: { readonly code: number; readonly reason: string };
  /** The answer to a refused upgrade. */
  readonly response?: Response;
  /** The events of a watch. */
  readonly events?: readonly object[];
  readonly podAfter?: Pod['status'];
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly protocols?: readonly string[];
}

export interface Frame {
  readonly binary?: boolean;
  readonly channel?: number;
  readonly sent?: number;
  readonly text: string;
}

export interface Response {
  readonly status: number;
  readonly contentType?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A pod's state at one moment of its recorded timeline. */
export interface Moment {
  readonly pod?: string;
  readonly phase: string;
  readonly containers: readonly object[];
}

/** What a recording can contain. Each has a part of it. */
export interface Observations {
  readonly podBefore?: Pod;
  readonly steps?: readonly Exchange[];
  readonly exchanges?: readonly Exchange[];
  readonly timeline?: readonly Moment[];
  readonly podsAfter?: readonly Partial<Pod>[];
  readonly podStatusAfter?: readonly { readonly name: string; readonly status: Pod['status'] }[];
  readonly statusAfter?: Pod['status'];
  readonly jobAfter?: { readonly spec: object; readonly status: Job['status'] };
  readonly jobStatusAfter?: Job['status'];
  /** In the recordings of the whole cluster. */
  readonly items?: readonly (Pod | Job)[];
}

/** A recording file. */
export interface Recording extends Observations {
  readonly file: string;
}

const folder = new URL('../recordings/', import.meta.url);

export const recordingFiles: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort();

export function readRecording(file: string): Recording {
  return { file, ...JSON.parse(readFileSync(new URL(file, folder), 'utf8')) };
}
