import { expect, it } from 'vitest';
import type { StuckPod } from '../../../src/advise/stuck-pod.ts';
import { gatherReportedOrigins } from '../../../src/gather/reported-origins.ts';
import type { Owner } from '../../../src/model/pod.ts';
import type { TemplateReading } from '../../../src/origins.ts';
import { createSlots } from '../../../src/slots.ts';
import { stuck, template } from '../../builders/stuck.ts';

const { signal: stop } = new AbortController();
const cron: Owner = { group: 'batch', kind: 'CronJob', name: 'report', uid: 'c-1' };
const present = (owner?: Owner): TemplateReading => ({ kind: 'Present', template: template({ owner }) });
const forbidden: TemplateReading = { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no' } };

function reported(owner: Pick<Owner, 'kind' | 'name'> | undefined): StuckPod {
  const { pod, ...more } = stuck({ owner: owner && { ...owner, group: '', uid: '' } });
  return { ...more, pod, isReported: true };
}

async function origins(
  owners: readonly (Pick<Owner, 'kind' | 'name'> | undefined)[],
  readings: Readonly<Record<string, TemplateReading>>,
) {
  const asked: string[] = [];
  const cluster = {
    async readTemplate(
      _namespace: string,
      { kind, name, uid }: { kind: string; name: string; uid: unknown },
    ) {
      expect(uid).toBeUndefined();
      asked.push(`${kind} ${name}`);
      return readings[`${kind} ${name}`] ?? ({ kind: 'Gone' } as const);
    },
  };
  const found = await gatherReportedOrigins(owners.map(reported), { cluster, slots: createSlots(4), stop });
  const named = found.map(
    ({ origin, candidates }) => `${origin.kind} ${origin.name} ${origin.reading?.kind} ${candidates.length}`,
  );
  return { asked, named, found };
}

const job = (name: string) => ({ kind: 'Job', name });

it('the Jobs of a CronJob are of one origin, whether they are still there or named as it names them', async () => {
  const readings = { 'Job report-29384720': present(cron), 'CronJob report': present() };
  const { named, found } = await origins([job('report-29384720'), job('report-29384721')], readings);
  expect(named).toEqual(['CronJob report Present 2']);
  // Its patch is for this object alone.
  expect(found[0]?.origin.uid).toBe('c-1');
});

it('an owner that is there is read once; one that is gone is named as it was', async () => {
  const owners = [job('once'), job('once'), job('gone')];
  const { asked, named } = await origins(owners, { 'Job once': present() });
  expect(asked).toEqual(['Job once', 'Job gone']);
  expect(named).toEqual(['Job once Present 2', 'Job gone Gone 1']);
});

it('what runs by the minute is one owner, even if neither Job nor CronJob can be read', async () => {
  const owners = [job('report-29384720'), job('report-29384721')];
  expect((await origins(owners, {})).named).toEqual(['Job report-* Gone 2']);
  const readings = Object.fromEntries(owners.map(({ name }) => [`Job ${name}`, forbidden]));
  expect((await origins(owners, readings)).named).toEqual(['Job report-* Unreadable 2']);
});

it('other owners, the owners of Jobs, and bare pods are not read', async () => {
  const set: Owner = { group: 'jobset.x-k8s.io', kind: 'JobSet', name: 'train', uid: 's-1' };
  const owners = [job('train-0'), { kind: 'Workflow', name: 'flow' }, undefined];
  const { asked, named } = await origins(owners, { 'Job train-0': present(set) });
  expect(asked).toEqual(['Job train-0']);
  expect(named).toEqual([
    'JobSet train undefined 1',
    'Workflow flow undefined 1',
    expect.stringMatching(/^Pod \S+ undefined 1$/),
  ]);
});
