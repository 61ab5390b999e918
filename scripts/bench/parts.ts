import { withEmulator } from './emulated.ts';
import { benchHanging } from './hanging.ts';
import type { Part } from './part.ts';
import type { SidecarKind } from './pods.ts';
import { benchScan } from './scan.ts';
import { benchFirstRequest, benchStart } from './start.ts';
import { benchSweep } from './sweep.ts';

export type Parts = Readonly<Record<string, (rounds: number) => Promise<Part>>>;

/** Everything that is measured on the emulator, in this order. */
export const parts: Parts = {
  'start-version': (rounds) => benchStart(4 * rounds, ['--version']),
  'start-help': (rounds) => benchStart(4 * rounds, ['--help']),
  'start-first-request': (rounds) => benchFirstRequest(4 * rounds),
  'scan-30k': scan(30_000),
  'scan-150k': scan(150_000),
  'sweep-1k-clean': sweep(1_000, 'clean'),
  'sweep-1k-slow': sweep(1_000, 'slow'),
  'sweep-1k-stubborn': sweep(1_000, 'stubborn'),
  'sweep-10k-clean': sweep(10_000, 'clean'),
  'sweep-10k-slow': sweep(10_000, 'slow'),
  'sweep-10k-stubborn': sweep(10_000, 'stubborn'),
  'hanging-nodes': (rounds) => withEmulator((emulated) => benchHanging(emulated, 300, rounds)),
};

function scan(pods: number): Parts[string] {
  return (rounds) => withEmulator((emulated) => benchScan(emulated, pods, rounds));
}

function sweep(pods: number, sidecar: SidecarKind): Parts[string] {
  return (rounds) => withEmulator((emulated) => benchSweep(emulated, pods, sidecar, rounds));
}
