import { expect, it } from 'vitest';
import { deletion } from '../../../src/methods/delete.ts';
import { steps } from '../../builders/plan.ts';
import { abort, common, pod, subject, writeRecipient } from './recipient.ts';

const spec = deletion.written.parse({ delete: true });

it('it is written as `delete: true`, and with nothing else', () => {
  expect(spec).toEqual({ method: 'Delete', delete: true });
  for (const written of [{ delete: false }, { delete: 'yes' }, {}, { delete: true, image: 'a' }]) {
    expect(deletion.written.safeParse(written).success).toBe(false);
  }
  expect(deletion.fromFlag?.({ noopImage: undefined, noopPrograms: undefined })).toEqual({ delete: true });
});

it('no pod shows that it cannot work', () => {
  expect(deletion.whyUnfit(spec, subject({ processNamespace: 'Node', hostNetwork: true }))).toBeUndefined();
});

it('an annotation may ask for it; the operator’s last resort still has to have it', () => {
  expect(deletion.isAdmitted(spec, { patterns: [], known: [] })).toBe(true);
});

it('the pod fails, so its containers end with 137 unless something else is written', () => {
  expect(deletion.toSteps(spec, common, subject())).toEqual([
    { ...common, method: 'Delete', exitCode: 137, grace: 45_000 },
  ]);
  expect(deletion.toSteps(spec, { ...common, exitCode: 0 }, subject())).toMatchObject([{ exitCode: 0 }]);
});

it('it reads “delete the pod”', () => {
  expect(deletion.describeSpec(spec)).toBe('delete the pod');
  expect(deletion.describe(steps.Delete)).toBe('delete the pod');
});

it('it deletes the pod, once for all sidecars', async () => {
  const { to, calls } = writeRecipient([], ['a', 'b']);
  expect(await deletion.send(steps.Delete, to)).toEqual({ kind: 'Accepted' });
  expect(calls).toEqual([['deletePod', pod, abort]]);
});

it('a refusal is passed on', async () => {
  const refused = { kind: 'Refused', message: 'is forbidden' } as const;
  expect(await deletion.send(steps.Delete, writeRecipient([refused]).to)).toEqual(refused);
});
