import { expect, it } from 'vitest';
import { deadline } from '../../../src/methods/deadline.ts';
import { steps } from '../../builders/plan.ts';
import { abort, common, pod, subject, writeRecipient } from './recipient.ts';

const spec = deadline.written.parse({ deadline: true });

it('it is written as `deadline: true`, and with nothing else', () => {
  expect(spec).toEqual({ method: 'Deadline', deadline: true });
  for (const written of [{ deadline: false }, { deadline: 'yes' }, {}, { deadline: true, image: 'a' }]) {
    expect(deadline.written.safeParse(written).success).toBe(false);
  }
  expect(deadline.fromFlag?.({ noopImage: undefined, noopPrograms: undefined })).toEqual({ deadline: true });
});

it('no pod shows that it cannot work', () => {
  expect(deadline.whyUnfit(spec, subject({ processNamespace: 'Node', hostNetwork: true }))).toBeUndefined();
});

it('an annotation may ask for it; the operator’s last resort still has to have it', () => {
  expect(deadline.isAdmitted(spec, { patterns: [], known: [] })).toBe(true);
});

it('the pod fails, so its containers end with 137 unless something else is written', () => {
  expect(deadline.toSteps(spec, common, subject())).toEqual([
    { ...common, method: 'Deadline', exitCode: 137, grace: 45_000 },
  ]);
  expect(deadline.toSteps(spec, { ...common, exitCode: 0 }, subject())).toMatchObject([{ exitCode: 0 }]);
});

it('it reads “set activeDeadlineSeconds to 1”', () => {
  expect(deadline.describeSpec(spec)).toBe('set activeDeadlineSeconds to 1');
  expect(deadline.describe(steps.Deadline)).toBe('set activeDeadlineSeconds to 1');
});

it('it sets a deadline that is over, once for all sidecars', async () => {
  const { to, calls } = writeRecipient([], ['a', 'b']);
  expect(await deadline.send(steps.Deadline, to)).toEqual({ kind: 'Accepted' });
  expect(calls).toEqual([['setDeadline', pod, abort]]);
});

it('a refusal is passed on', async () => {
  const refused = { kind: 'Refused', message: 'is forbidden' } as const;
  expect(await deadline.send(steps.Deadline, writeRecipient([refused]).to)).toEqual(refused);
});
