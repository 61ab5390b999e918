import { describe, expect, it } from 'vitest';
import type { SweepEvent } from '../../../src/events.ts';
import { createJobReader } from '../../../src/gather/jobs.ts';
import type { JobReading } from '../../../src/ports.ts';
import type { Owner, Problem } from '../../../src/vocabulary.ts';
import { jobView } from '../../builders/job.ts';

const abort = new AbortController().signal;
const present: JobReading = { kind: 'Present', job: jobView() };

function unreadable(kind: Problem['kind']): JobReading {
  return { kind: 'Unreadable', problem: { kind, message: `${kind}!` } };
}

function job(name: string): Owner {
  return { group: 'batch', kind: 'Job', name, uid: `uid-of-${name}` };
}

/** A reader of Jobs that all read like this. */
function reader(reading: JobReading) {
  const asked: string[] = [];
  const events: SweepEvent[] = [];
  const cluster = {
    async readJob(namespace: string, { name }: Owner, signal: AbortSignal) {
      expect(signal).toBe(abort);
      asked.push(`${namespace}/${name}`);
      return reading;
    },
  };
  const jobs = createJobReader(cluster, (event) => events.push(event));
  return { read: (namespace: string, name: string) => jobs.read(namespace, job(name), abort), asked, events };
}

function warned(namespace: string, message: string): SweepEvent {
  return { kind: 'Warned', warning: { kind: 'JobsUnreadable', namespaces: [namespace], message } };
}

describe('a Job', () => {
  it.each<JobReading>([present, { kind: 'Gone' }])(
    'that can be read is read each time: $kind',
    async (reading) => {
      const { read, asked, events } = reader(reading);
      expect(await read('demo', 'a')).toEqual(reading);
      expect(await read('demo', 'a')).toEqual(reading);
      expect(asked).toEqual(['demo/a', 'demo/a']);
      expect(events).toEqual([]);
    },
  );

  it('that may not be read is the last one of its namespace that is asked for', async () => {
    const { read, asked, events } = reader(unreadable('Forbidden'));
    expect(await read('demo', 'a')).toEqual(unreadable('Forbidden'));
    expect(await read('demo', 'b')).toEqual(unreadable('Forbidden'));
    expect(await read('other', 'c')).toEqual(unreadable('Forbidden'));
    expect(asked).toEqual(['demo/a', 'other/c']);
    expect(events).toEqual([warned('demo', 'Forbidden!'), warned('other', 'Forbidden!')]);
  });

  it('that cannot be read causes one warning a namespace; the next is asked for', async () => {
    const { read, asked, events } = reader(unreadable('TimedOut'));
    expect(await read('demo', 'a')).toEqual(unreadable('TimedOut'));
    await read('demo', 'b');
    await read('other', 'c');
    expect(asked).toEqual(['demo/a', 'demo/b', 'other/c']);
    expect(events).toEqual([warned('demo', 'TimedOut!'), warned('other', 'TimedOut!')]);
  });

  it('causes no warning if the sweep was stopped', async () => {
    const { read, asked, events } = reader(unreadable('Interrupted'));
    expect(await read('demo', 'a')).toEqual(unreadable('Interrupted'));
    await read('demo', 'b');
    expect(asked).toEqual(['demo/a', 'demo/b']);
    expect(events).toEqual([]);
  });
});

it('what was read of a Job is remembered', async () => {
  const jobs = createJobReader({ readJob: async () => present }, () => undefined);
  expect(jobs.readBefore('demo', job('work'))).toBeUndefined();
  await jobs.read('demo', job('work'), abort);
  expect(jobs.readBefore('demo', job('work'))).toEqual(jobView());
  expect(jobs.readBefore('demo', job('other'))).toBeUndefined();
});
