import { fileCases } from './file-cases.ts';
import type { CommandCases } from './flag-case.ts';
import { lookCases } from './look-cases.ts';
import { sweepCases } from './sweep-cases.ts';

/** Every command with every flag; a unit test compares them with what the program has. */
export const allCases: readonly CommandCases[] = [sweepCases, ...lookCases, ...fileCases];
