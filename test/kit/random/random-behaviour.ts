import fc from 'fast-check';
import type { LightBehaviour } from '../emulator/index.ts';

/** The grace period in milliseconds of the cluster's clock. */
export const grace = 3_000;

const exitCode = fc.constantFrom(0, 0, 1, 143);
/** Delays of an end: none, short, or longer than any wait. */
const after = fc.constantFrom(0, 100, 1_000, grace * 2, grace * 6);
const end = fc.record({ exitCode, after });

/** How a sidecar takes TERM: most end by it, some ignore it, some have no shell to send it from. */
export const randomBehaviour: fc.Arbitrary<LightBehaviour> = fc.oneof(
  { weight: 6, arbitrary: end.map((SIGTERM) => ({ on: { SIGTERM } })) },
  { weight: 1, arbitrary: fc.constant({ on: {} }) },
  { weight: 1, arbitrary: end.map((SIGTERM) => ({ on: { SIGTERM }, shell: false as const })) },
);
