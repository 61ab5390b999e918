import { expect, it } from 'vitest';
import { gatherOrigins } from '../../src/advise.ts';
import type { Owner } from '../../src/model/pod.ts';
import type { TemplateReading } from '../../src/model/ports.ts';
import { createSlots } from '../../src/util/concurrency.ts';
import { podView } from '../builders/pod-view.ts';
import { stuck, template } from '../builders/stuck.ts';

const { signal: stop } = new AbortController();
const cron: Owner = { group: 'batch', kind: 'CronJob', name: 'report', uid: 'c-1' };
const job = (name: string): Owner => ({ group: 'batch', kind: 'Job', name, uid: name });
const present = (owner?: Owner): TemplateReading => ({ kind: 'Present', template: template({ owner }) });

/** What the pods of these owners are made from, and which templates were read. */
async function origins(
  owners: readonly (Owner | undefined)[],
  readings: Readonly<Record<string, TemplateReading>>,
) {
  const asked: string[] = [];
  const cluster = {
    async readTemplate(_namespace: string, { kind, name }: Pick<Owner, 'kind' | 'name'>) {
      asked.push(`${kind} ${name}`);
      return readings[name] ?? ({ kind: 'Gone' } as const);
    },
  };
  const candidates = owners.map((owner, index) => {
    const ref = { ...podView().ref, name: `pod-${index}`, uid: `uid-${index}` };
    return stuck({ ref, owner });
  });
  const groups = await gatherOrigins(candidates, cluster, createSlots(4), stop);
  const named = groups.map(
    ({ origin, candidates: { length } }) => `${origin.kind} ${origin.name} ${length} ${origin.reading?.kind}`,
  );
  return { asked, named };
}

it('the pods of all Jobs of a CronJob are of one origin, and each template is read once', async () => {
  const readings = { first: present(cron), second: present(cron), report: present() };
  expect(await origins([job('first'), job('second'), job('first')], readings)).toEqual({
    asked: ['Job first', 'Job second', 'CronJob report'],
    named: ['CronJob report 3 Present'],
  });
});

it('a Job that no CronJob started is one itself, also if it cannot be read', async () => {
  const { named } = await origins([job('once'), job('gone')], { once: present() });
  expect(named).toEqual(['Job once 1 Present', 'Job gone 1 Gone']);
});

it('another owner, of a pod or a Job, is one whose template is not read', async () => {
  const set: Owner = { group: 'jobset.x-k8s.io', kind: 'JobSet', name: 'train', uid: 's-1' };
  const workflow: Owner = { group: 'argoproj.io', kind: 'Workflow', name: 'flow', uid: 'w-1' };
  const { asked, named } = await origins([job('train-0'), workflow], { 'train-0': present(set) });
  expect(asked).toEqual(['Job train-0']);
  expect(named).toEqual(['JobSet train 1 undefined', 'Workflow flow 1 undefined']);
});

it('a bare pod is one by itself', async () => {
  const { named } = await origins([undefined, undefined], {});
  expect(named).toEqual(['Pod pod-0 1 undefined', 'Pod pod-1 1 undefined']);
});
