import { describeIssue } from './problems.ts';
import { type StepSpec, stepList } from './steps.ts';

const maxBytes = 4096;

export type ReadSteps =
  | { readonly kind: 'Steps'; readonly steps: readonly StepSpec[] }
  | { readonly kind: 'Bad'; readonly problem: string };

/** Reads a list of steps as an annotation has it: JSON, in the words of a policy file. */
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
  return { kind: 'Bad', problem: `no list of steps: ${first?.message ?? 'unreadable'}` };
}
