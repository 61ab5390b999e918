import type { PolicyFlags } from '../../../src/policy/policy.ts';
import type { LightBehaviour } from '../../kit/emulator/index.ts';
import { quits, sidecars } from '../../kit/stuck-pods.ts';

/** One rung of the ladder: a sidecar that ends in this way and no other. */
export interface Rung {
  readonly title: string;
  readonly sidecar: LightBehaviour;
  readonly annotations?: Record<string, string>;
  readonly flags?: Partial<PolicyFlags>;
  readonly policy?: object;
  /** In seconds; 1 if left out. */
  readonly grace?: number;
}

const unclean = { uncleanExit: 'allow' } as const;

/** Under OnFailure, it is started again. */
export const endsUncleanly: Rung = { title: 'an unclean end', sidecar: sidecars.unclean, flags: unclean };

// biome-ignore format: one row a line
export const rungs: readonly Rung[] = [
  { title: 'a signal by exec', sidecar: sidecars.clean },
  { title: 'TERM, then KILL', sidecar: sidecars.stubborn, grace: 3, flags: unclean },
  { title: 'a request to quit', ...quits, policy: { annotationCommands: 'any' } },
  { title: 'an image swap', sidecar: sidecars.immune, flags: { ...unclean, noopImage: 'docker.io/local/nop:1' } },
  { title: 'an ephemeral container', sidecar: { ...sidecars.clean, shell: false }, policy: { lastResort: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' }, exitCode: 0 }] } },
  ...(['deadline', 'evict', 'delete'] as const).map((method) => ({
    title: method,
    sidecar: sidecars.immune,
    flags: { ...unclean, lastResort: [method] },
  })),
];
