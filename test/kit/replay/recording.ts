import { readdirSync, readFileSync } from 'node:fs';
import type { Job, Pod } from '../emulator/index.ts';

export interface Exchange {
  readonly step?: string;
  readonly request: RecordedRequest;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In protobuf. */
  readonly bodyBase64?: string;
  /** WebSocket frames in order; those with `sent` went to the server. */
  readonly frames?: readonly Frame[];
  readonly upgrade?: { readonly status: number; readonly protocol: string };
  readonly close?: { readonly code: number; readonly reason: string };
  readonly response?: Response;
  readonly events?: readonly object[];
  readonly podAfter?: Pod['status'];
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
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

export interface Moment {
  readonly ms?: number;
  readonly pod?: string;
  readonly phase?: string;
  readonly deleting?: true;
  readonly gone?: true;
  readonly containers?: readonly ContainerMoment[];
}

interface ContainerMoment {
  readonly name: string;
  readonly image?: string;
  readonly state: string;
  readonly restartCount: number;
  readonly exitCode?: number;
  readonly reason?: string | undefined;
  readonly lastExitCode?: number;
}

/** What one moment shows of a Job with many pods: its pods by phase, their restarts, and the Job itself. */
export interface JobMoment {
  readonly ms?: number;
  readonly pods: Readonly<Record<string, number>>;
  readonly restarts: number;
  readonly job: {
    readonly active?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly conditions?: readonly string[];
  };
}

/** A Job and all its pods by name, as a recorder saw them that looked now and then. */
export interface WholeMoment {
  readonly ms?: number;
  readonly pods: Readonly<
    Record<
      string,
      {
        readonly phase: string;
        readonly deleting: boolean;
        readonly containers: readonly {
          readonly name: string;
          readonly image: string;
          readonly containerID: string;
          readonly restartCount: number;
          readonly state: object;
        }[];
      }
    >
  >;
  readonly job: Job['status'];
}

/** What was done to a Job or one of its pods: a patch, or TERM to the process 1 of a sidecar. */
export interface JobStep {
  readonly patch?: string;
  readonly operations?: readonly object[];
  readonly exec?: string;
}

export interface Observations {
  readonly podBefore?: Pod;
  readonly steps?: readonly Exchange[];
  readonly exchanges?: readonly Exchange[];
  readonly timeline?: readonly (Moment | JobMoment | WholeMoment)[];
  readonly podsBefore?: readonly Pod[];
  readonly podsAfter?: readonly Partial<Pod>[];
  readonly podStatusAfter?: readonly { readonly name: string; readonly status?: Pod['status'] }[];
  readonly statusAfter?: Pod['status'];
  readonly jobBefore?: { readonly spec: object; readonly status: Job['status'] };
  readonly jobAfter?: { readonly spec: object; readonly status: Job['status'] };
  readonly jobStatusAfter?: Job['status'];
  /** In the recordings of the whole cluster. */
  readonly items?: readonly (Pod | Job)[];
}

export interface Recording extends Observations {
  readonly file: string;
  readonly kubernetes?: string;
  /** What the Job's manifest had besides the template. */
  readonly jobSpec?: Partial<Job['spec']>;
  /** How many pods were swapped at a time; the next ones when these had ended. */
  readonly batch?: number;
  readonly done?: JobStep | readonly JobStep[];
}

const folder = new URL('../recordings/', import.meta.url);

export const recordingFiles: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort();

export function readRecording(file: string): Recording {
  return { file, ...JSON.parse(readFileSync(new URL(file, folder), 'utf8')) };
}
