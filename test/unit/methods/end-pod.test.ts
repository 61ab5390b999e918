import { expect, it } from 'vitest';
import { deadline, deletion, evict } from '../../../src/methods/end-pod.ts';
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

const specOfDelete = deletion.written.parse({ delete: true });

it('it is written as `delete: true`, and with nothing else', () => {
  expect(specOfDelete).toEqual({ method: 'Delete', delete: true });
  for (const written of [{ delete: false }, { delete: 'yes' }, {}, { delete: true, image: 'a' }]) {
    expect(deletion.written.safeParse(written).success).toBe(false);
  }
  expect(deletion.fromFlag?.({ noopImage: undefined, noopPrograms: undefined })).toEqual({ delete: true });
});

it('no pod shows that it cannot work', () => {
  expect(
    deletion.whyUnfit(specOfDelete, subject({ processNamespace: 'Node', hostNetwork: true })),
  ).toBeUndefined();
});

it('an annotation may ask for it; the operator’s last resort still has to have it', () => {
  expect(deletion.isAdmitted(specOfDelete, { patterns: [], known: [] })).toBe(true);
});

it('the pod fails, so its containers end with 137 unless something else is written', () => {
  expect(deletion.toSteps(specOfDelete, common, subject())).toEqual([
    { ...common, method: 'Delete', exitCode: 137, grace: 45_000 },
  ]);
  expect(deletion.toSteps(specOfDelete, { ...common, exitCode: 0 }, subject())).toMatchObject([
    { exitCode: 0 },
  ]);
});

it('it reads “delete the pod”', () => {
  expect(deletion.describeSpec(specOfDelete)).toBe('delete the pod');
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

const specOfEvict = evict.written.parse({ evict: true });

it('it is written as `evict: true`, and with nothing else', () => {
  expect(specOfEvict).toEqual({ method: 'Evict', evict: true });
  for (const written of [{ evict: false }, { evict: 'yes' }, {}, { evict: true, image: 'a' }]) {
    expect(evict.written.safeParse(written).success).toBe(false);
  }
  expect(evict.fromFlag?.({ noopImage: undefined, noopPrograms: undefined })).toEqual({ evict: true });
});

it('no pod shows that it cannot work', () => {
  expect(
    evict.whyUnfit(specOfEvict, subject({ processNamespace: 'Node', hostNetwork: true })),
  ).toBeUndefined();
});

it('an annotation may ask for it; the operator’s last resort still has to have it', () => {
  expect(evict.isAdmitted(specOfEvict, { patterns: [], known: [] })).toBe(true);
});

it('the pod fails, so its containers end with 137 unless something else is written', () => {
  expect(evict.toSteps(specOfEvict, common, subject())).toEqual([
    { ...common, method: 'Evict', exitCode: 137, grace: 45_000 },
  ]);
  expect(evict.toSteps(specOfEvict, { ...common, exitCode: 0 }, subject())).toMatchObject([{ exitCode: 0 }]);
});

it('it reads “evict the pod”', () => {
  expect(evict.describeSpec(specOfEvict)).toBe('evict the pod');
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
