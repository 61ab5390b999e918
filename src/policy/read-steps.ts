import { type StepSpec, stepList } from '../methods/index.ts';
import { describeIssue } from './problems.ts';

const maxBytes = 4096;

export type ReadSteps =
  | { readonly kind: 'Steps'; readonly steps: readonly StepSpec[] }
  | { readonly kind: 'Bad'; readonly problem: string };

/** Reads the list of steps in an annotation: JSON, in the format of a policy file. */
export function readSteps(text: string): ReadSteps {
  if (Buffer.byteLength(text) > maxBytes) return { kind: 'Bad', problem: `longer than ${maxBytes} bytes` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'Bad', problem: 'not JSON' };
  }
  const parsed = stepList.safeParse(value);
  if (parsed.success) return { kind: 'Steps', steps: parsed.data };
  const [first] = parsed.error.issues.flatMap((issue) => describeIssue(issue, 'the list'));
  return { kind: 'Bad', problem: `not a list of steps: ${first?.message ?? 'unreadable'}` };
}
