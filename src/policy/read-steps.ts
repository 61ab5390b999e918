import { type StepSpec, stepList } from '../methods/index.ts';
import { bounds } from '../model/bounds.ts';
import { check } from './problems.ts';

export type ReadSteps =
  | { readonly kind: 'Steps'; readonly steps: readonly StepSpec[] }
  | { readonly kind: 'Bad'; readonly problem: string };

/** Reads the list of steps in an annotation: JSON, in the format of a policy file. */
export function readSteps(text: string): ReadSteps {
  if (Buffer.byteLength(text) > bounds.instructions) {
    return { kind: 'Bad', problem: `longer than ${bounds.instructions} bytes` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'Bad', problem: 'not JSON' };
  }
  const parsed = check(stepList, value, { name: 'the list', fields: [] });
  if (parsed.kind === 'Valid') return { kind: 'Steps', steps: parsed.data };
  return { kind: 'Bad', problem: `not a list of steps: ${parsed.problems[0]?.message ?? 'unreadable'}` };
}
