import { readFileSync } from 'node:fs';
import type { Job, Pod } from '../../../../kit/emulator/index.ts';

/** The parts of a recording that these tests use. */
export interface Recording {
  readonly podBefore: Pod;
  readonly statusAfter?: Pod['status'];
  readonly jobAfter?: { readonly spec: { readonly backoffLimit: number }; readonly status: Job['status'] };
}

export function readRecording<T = Recording>(name: string): T {
  const url = new URL(`../../../../kit/recordings/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as T;
}

/** Replaces what differs between runs: times, IDs, addresses, random names. */
export function normalised(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replace(/"\d{4}-\d\d-\d\dT[\d:]+Z"/g, (time) => (time.startsWith('"1970') ? time : '"TIME"'))
      .replace(/containerd:\/\/[0-9a-f]{64}/g, 'CONTAINER')
      .replace(/"10\.88\.\d+\.\d+"/g, '"POD-IP"')
      .replace(/kube-api-access-\w{5}/g, 'TOKEN-VOLUME')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'),
  );
}
