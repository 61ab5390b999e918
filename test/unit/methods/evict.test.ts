import { expect, it } from 'vitest';
import { evict } from '../../../src/methods/evict.ts';
import { steps } from '../../builders/plan.ts';
import { abort, common, pod, subject, writeRecipient } from './recipient.ts';

const spec = evict.written.parse({ evict: true });

it('it is written as `evict: true`, and with nothing else', () => {
  expect(spec).toEqual({ method: 'Evict', evict: true });
  for (const written of [{ evict: false }, { evict: 'yes' }, {}, { evict: true, image: 'a' }]) {
    expect(evict.written.safeParse(written).success).toBe(false);
  }
  expect(evict.fromFlag?.({ noopImage: undefined, noopPrograms: undefined })).toEqual({ evict: true });
});

it('no pod shows that it cannot work', () => {
  expect(evict.whyUnfit(spec, subject({ processNamespace: 'Node', hostNetwork: true }))).toBeUndefined();
});

it('an annotation may ask for it; the operator’s last resort still has to have it', () => {
  expect(evict.isAdmitted(spec, { patterns: [], known: [] })).toBe(true);
});

it('the pod fails, so its containers end with 137 unless something else is written', () => {
  expect(evict.toSteps(spec, common, subject())).toEqual([
    { ...common, method: 'Evict', exitCode: 137, grace: 45_000 },
  ]);
  expect(evict.toSteps(spec, { ...common, exitCode: 0 }, subject())).toMatchObject([{ exitCode: 0 }]);
});

it('it reads “evict the pod”', () => {
  expect(evict.describeSpec(spec)).toBe('evict the pod');
  expect(evict.describe(steps.Evict)).toBe('evict the pod');
});

it('it evicts the pod, once for all sidecars', async () => {
  const { to, calls } = writeRecipient([], ['a', 'b']);
  expect(await evict.send(steps.Evict, to)).toEqual({ kind: 'Accepted' });
  expect(calls).toEqual([['evict', pod, abort]]);
});

it('a refusal is passed on', async () => {
  const refused = { kind: 'Refused', message: 'is forbidden' } as const;
  expect(await evict.send(steps.Evict, writeRecipient([refused]).to)).toEqual(refused);
});
