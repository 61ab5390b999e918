/** The library: what the package exports. docs/library.md explains it. */
export type * from './library/contract.ts';
export { type SweepOptions, sweep } from './library/sweep.ts';
export { UsageError } from './usage-error.ts';
