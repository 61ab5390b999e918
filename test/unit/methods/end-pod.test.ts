import { describe, expect, it } from 'vitest';
import { deadline, deletion, evict } from '../../../src/methods/end-pod.ts';
import { steps } from '../../builders/plan.ts';
import { abort, common, pod, subject, writeRecipient } from './recipient.ts';

const cases = [
  { method: deadline, field: 'deadline', words: 'set activeDeadlineSeconds to 1', request: 'setDeadline' },
  { method: deletion, field: 'delete', words: 'delete the pod', request: 'deletePod' },
  { method: evict, field: 'evict', words: 'evict the pod', request: 'evict' },
] as const;

describe.each(cases)('$field', ({ method, field, words, request }) => {
  const { name } = method;
  const spec = { method: name, [field]: true };
  // The union of the methods takes the steps of none of them.
  const { written, whyUnfit, isAdmitted, toSteps, describeSpec, describe, send } =
    method as unknown as typeof deletion;
  const read = written.parse({ [field]: true });

  it('is written as `true`, and with nothing else', () => {
    expect(read).toEqual(spec);
    for (const wrong of [{ [field]: false }, { [field]: 'yes' }, {}, { [field]: true, image: 'a' }]) {
      expect(written.safeParse(wrong).success).toBe(false);
    }
    expect([describeSpec(read), describe(steps.Delete)]).toEqual([words, words]);
  });

  it('works in any pod; the operator’s last resort must have it, even if an annotation asks for it', () => {
    expect(whyUnfit(read, subject({ processNamespace: 'Node', hostNetwork: true }))).toBeUndefined();
    expect(isAdmitted(read, { patterns: [], known: [] })).toBe(true);
  });

  it('fails the pod, so its containers end with 137 unless another code than 0 is written', () => {
    const step = { ...common, method: name, exitCode: 137, grace: 45_000 };
    expect(toSteps(read, common, subject())).toEqual([step]);
    expect(toSteps(read, { ...common, exitCode: 143 }, subject())).toEqual([{ ...step, exitCode: 143 }]);
    expect(toSteps(read, { ...common, exitCode: 0, promisedBy: 'Owner' }, subject())).toEqual([step]);
  });

  it('is sent once for all sidecars, and a refusal is passed on', async () => {
    const { to, calls } = writeRecipient([], ['a', 'b']);
    expect(await send(steps.Delete, to)).toEqual({ kind: 'Accepted' });
    expect(calls).toEqual([[request, pod, abort]]);
    const refused = { kind: 'Refused', message: 'is forbidden' } as const;
    expect(await send(steps.Delete, writeRecipient([refused]).to)).toEqual(refused);
  });
});
