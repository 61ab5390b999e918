import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { gatherJobFacts, readCounts } from '../../../src/facts/job-facts.ts';
import { createJobReader } from '../../../src/facts/job-reader.ts';
import type { FailureRule } from '../../../src/model/job.ts';
import { jobKey, type Owner, type PodView } from '../../../src/model/pod.ts';
import type { Cluster } from '../../../src/model/ports.ts';
import type { JobFacts, JobReading, ListReading, Problem } from '../../../src/model/reading.ts';
import type { Candidate } from '../../../src/model/verdict.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { createSlots, type Slots } from '../../../src/util/concurrency.ts';
import { CountedSlots, clusterWith, unreadable } from '../../builders/cluster.ts';
import { jobFacts, jobView, onExitCodes, onPodConditions, presentJob } from '../../builders/job.ts';
import { candidate } from '../../builders/plan.ts';
import { container, exited, now, podView, running } from '../../builders/pod-view.ts';

const abort = new AbortController().signal;
const inSlot: Slots = (work) => work();
const present = presentJob();

function job(name: string, group = 'batch'): Owner {
  return { group, kind: 'Job', name, uid: `uid-of-${name}` };
}

function reader(reading: JobReading) {
  const asked: string[] = [];
  const events: SweepEvent[] = [];
  const cluster = clusterWith({
    async readJob(namespace: string, { name }: Owner, signal: AbortSignal) {
      expect(signal).toBe(abort);
      asked.push(`${namespace}/${name}`);
      return reading;
    },
  });
  const jobs = createJobReader(cluster, (event) => events.push(event), inSlot);
  return { read: (namespace: string, name: string) => jobs.read(namespace, job(name), abort), asked, events };
}

describe('a Job', () => {
  const grant = 'grant get on jobs with the rule - {apiGroups: [batch], resources: [jobs], verbs: [get]}';

  it.each<readonly [kind: Problem['kind'], asked: readonly string[], warnings: readonly string[]]>([
    ['Forbidden', ['demo/a', 'other/c'], [`Forbidden!; ${grant}`]],
    ['TimedOut', ['demo/a', 'demo/b', 'other/c'], ['TimedOut!']],
    ['Interrupted', ['demo/a', 'demo/b', 'other/c'], []],
  ])('that cannot be read causes at most one warning a namespace: %s', async (kind, expected, warnings) => {
    const { read, asked, events } = reader(unreadable(kind));
    expect(await read('demo', 'a')).toEqual(unreadable(kind));
    expect(await read('demo', 'b')).toEqual(unreadable(kind));
    expect(await read('other', 'c')).toEqual(unreadable(kind));
    expect(asked).toEqual(expected);
    const warned = (namespace: string, message: string) => {
      return { kind: 'Warned', warning: { kind: 'JobsUnreadable', namespaces: [namespace], message } };
    };
    expect(events).toEqual(warnings.flatMap((one) => [warned('demo', one), warned('other', one)]));
  });
});

describe('many Jobs', () => {
  /** A cluster of these Jobs, in pages of 100; what is asked of it. */
  function listing(names: readonly string[], isAllowed = true, slots = inSlot) {
    const asked: string[] = [];
    const events: SweepEvent[] = [];
    const cluster: Pick<Cluster, 'readJob' | 'listJobs'> = {
      async readJob(namespace, { name }) {
        asked.push(`${namespace}/${name}`);
        return names.includes(name) ? present : { kind: 'Gone' };
      },
      async listJobs(namespace, token = '0') {
        asked.push(`list ${namespace} from ${token}`);
        if (!isAllowed) return unreadable('Forbidden');
        const end = Number(token) + 100;
        const items = names.slice(Number(token), end).map((name) => ({ ...job(name), job: jobView() }));
        return { kind: 'Page', items, token: end < names.length ? String(end) : undefined };
      },
    };
    const counted = new CountedSlots(slots);
    const jobs = createJobReader(cluster, (event) => events.push(event), counted.take);
    const readAll = async (...wanted: readonly string[]) => {
      const owned = wanted.map((name) => ({ namespace: 'demo', owner: job(name) }));
      const readings = await jobs.readAll(owned, abort);
      return wanted.map((name) => readings.get(jobKey('demo', job(name)))?.kind);
    };
    return { jobs, readAll, asked, events, counted };
  }

  const named = (count: number) => Array.from({ length: count }, (_, number) => `job-${number}`);

  it('are read once, by a list, each request in a slot', async () => {
    const { readAll, asked, counted } = listing(named(50));
    expect(await readAll(...named(50), ...named(50))).toEqual(Array(100).fill('Present'));
    await readAll(...named(20));
    expect(asked).toEqual(['list demo from 0']);
    expect(counted.taken).toBe(1);
  });

  it('of which some are missing are asked for by name', async () => {
    const { readAll, asked } = listing(named(12));
    expect(await readAll(...named(12), 'gone')).toEqual([...Array(12).fill('Present'), 'Gone']);
    expect(asked).toEqual(['list demo from 0', 'demo/gone']);
  });

  it('are not those of another uid that have their names', async () => {
    const { jobs, asked } = listing(named(12));
    const owned = named(12).map((name) => ({ namespace: 'demo', owner: { ...job(name), uid: 'other' } }));
    await jobs.readAll(owned, abort);
    expect(asked).toHaveLength(13);
  });

  it('are read together if they are asked for while no slot is free, and anew each time', async () => {
    const { jobs, asked } = listing(named(50), true, createSlots(1));
    const readSoon = (names: readonly string[]) => {
      const all = names.map((name) => jobs.readSoon({ namespace: 'demo', owner: job(name) }, abort));
      return Promise.all(all);
    };
    const [before, after] = [readSoon(named(20)), readSoon(['gone'])];
    expect(await before).toEqual(Array(20).fill(present));
    expect(await after).toEqual([{ kind: 'Gone' }]);
    expect(await readSoon(named(2))).toEqual([present, present]);
    expect(asked).toEqual(['list demo from 0', 'demo/gone', 'demo/job-0', 'demo/job-1']);
  });

  it('are read anew, also if an earlier request for one of them is answered only now', async () => {
    const answers: ((reading: JobReading) => void)[] = [];
    const cluster: Pick<Cluster, 'readJob' | 'listJobs'> = {
      readJob: () => new Promise((resolve) => answers.push(resolve)),
      async listJobs() {
        answers[0]?.(presentJob({ succeededPods: 1 }));
        await setImmediate();
        return unreadable('Forbidden');
      },
    };
    const jobs = createJobReader(cluster, () => undefined, createSlots(20));
    const read = (name: string) => jobs.readSoon({ namespace: 'demo', owner: job(name) }, abort);
    const before = read('job-0');
    await setImmediate();
    const after = Promise.all(named(10).map(read));
    expect(await before).toMatchObject({ job: { succeededPods: 1 } });
    await setImmediate();
    for (const answer of answers.slice(1)) answer(presentJob({ succeededPods: 2 }));
    expect((await after)[0]).toMatchObject({ job: { succeededPods: 2 } });
  });

  it('are read one by one if they may not be listed, which is no reason to warn and is not tried again', async () => {
    const { readAll, asked, events } = listing(named(40), false);
    expect(await readAll(...named(20))).toEqual(Array(20).fill('Present'));
    await readAll(...named(40));
    expect(asked.filter((one) => one.startsWith('list'))).toEqual(['list demo from 0']);
    expect(asked).toHaveLength(41);
    expect(events).toEqual([]);
  });
});

it('what was read of a Job is remembered until it is forgotten', async () => {
  let asked = 0;
  const readJob = async () => {
    asked++;
    return present;
  };
  const jobs = createJobReader(clusterWith({ readJob }), () => undefined, inSlot);
  const owned = [{ namespace: 'demo', owner: job('work') }];
  const readAll = async () => [...(await jobs.readAll(owned, abort))];
  for (const _again of [1, 2]) expect(await readAll()).toEqual([[jobKey('demo', job('work')), present]]);
  expect(asked).toBe(1);
  jobs.forget();
  await readAll();
  expect(asked).toBe(2);
});

const onFailure = { restartPolicy: 'OnFailure' } as const;

function stuck(owner: string, more: Partial<PodView> = {}): Candidate {
  return candidate(podView({ owner: job(owner), ...more }));
}

/** A cluster whose Jobs read like this and have pods with so many restarts. */
function gathering(
  reading: JobReading = present,
  restarts: readonly number[] | 'Unlisted' = [],
  failed: readonly PodView[] | Problem['kind'] = [],
) {
  const asked: string[] = [];
  const events: SweepEvent[] = [];
  const counted = new CountedSlots();
  const gather = (...candidates: readonly Candidate[]) =>
    gatherJobFacts(candidates, {
      noopImages: ['acme/noop:1'],
      jobs: {
        async readAll(owned, signal) {
          expect(signal).toBe(abort);
          for (const { namespace, owner } of owned) asked.push(`job ${namespace}/${owner.name}`);
          return new Map(owned.map(({ namespace, owner }) => [jobKey(namespace, owner), reading]));
        },
      },
      cluster: {
        async listFailedPods(namespace) {
          asked.push(`failed pods of ${namespace}`);
          return typeof failed === 'string' ? unreadable(failed) : { kind: 'Read', items: failed };
        },
        async listJobPods(namespace, { name }, signal) {
          expect(signal).toBe(abort);
          asked.push(`pods of ${namespace}/${name}`);
          if (restarts === 'Unlisted') return unreadable('TimedOut');
          const atWork = [container('main', running)];
          const items = restarts.map((count, index) =>
            podView({ restarts: count, ...(index > 0 && { containers: atWork }) }),
          );
          return { kind: 'Read', items };
        },
      },
      slots: counted.take,
      emit: (event) => events.push(event),
      stop: abort,
    });
  return { gather, asked, events, counted };
}

describe('what is known of Jobs', () => {
  it('comes from one read of each, however many of its pods are stuck', async () => {
    const { gather, asked } = gathering();
    const other = { ref: { namespace: 'demo', name: 'other', uid: 'other' } };
    const containers = [container('main', exited(3)), container('sidecar', running)];
    const facts = await gather(
      stuck('a'),
      stuck('b'),
      stuck('a', other),
      stuck('a', { ...other, containers }),
    );
    expect(asked).toEqual(['job demo/a', 'job demo/b']);
    const known = jobFacts();
    expect(Object.fromEntries(facts)).toEqual({
      'demo/a/uid-of-a': { ...known, finished: 2, failing: 1 },
      'demo/b/uid-of-b': known,
    });
  });

  it('is separate for a pod of another namespace that names the uid of the Job', async () => {
    const { gather, asked } = gathering();
    const forged = stuck('a', { ref: { namespace: 'other', name: 'forged', uid: 'uid-9' } });
    const facts = await gather(stuck('a'), forged);
    expect(asked).toEqual(['job demo/a', 'job other/a']);
    expect([...facts.keys()]).toEqual(['demo/a/uid-of-a', 'other/a/uid-of-a']);
  });

  it('has the restarts of all pods that have not ended, under OnFailure', async () => {
    const { gather, asked, counted } = gathering(present, [4, 0, 1]);
    const facts = await gather(stuck('a', { ...onFailure, restarts: 4 }));
    expect(asked).toEqual(['job demo/a', 'pods of demo/a']);
    expect(counted.taken).toBe(1);
    expect(facts.get('demo/a/uid-of-a')).toMatchObject({ restarts: 5, restartsAtWork: 1 });
  });

  it('has the ends of its failed pods: 128 for a sidecar whose swapped image was never started', async () => {
    const failing = presentJob({ failedPods: 2 });
    const sidecar = container('sidecar', exited(143), { ranImage: 'acme/proxy:1', image: 'acme/proxy:1' });
    const pod = (...containers: PodView['containers']) => podView({ owner: job('a'), containers });
    // Runtimes may call the same image by another name.
    const main = container('main', exited(3), { image: 'acme/work:1', ranImage: 'mirror.example/copy:1' });
    const failed = [pod(main, sidecar), pod(main, { ...sidecar, image: 'acme/noop:1' })];
    const facts = await gathering(failing, [], failed).gather(stuck('a'));
    const { finishedAt } = exited();
    const of = (exitCode: number) =>
      new Map(Object.entries({ main: { exitCode: 3, finishedAt }, sidecar: { exitCode, finishedAt } }));
    expect(facts.get('demo/a/uid-of-a')).toMatchObject({ failures: [of(143), of(128)] });
  });

  it('has no exit codes of pods that failed for another reason, such as the shutdown of a node', async () => {
    const failing = presentJob({ failedPods: 2 });
    const containers = [container('main', exited()), container('sidecar', exited(143))];
    const pod = podView({ owner: job('a'), phase: 'Failed', awaitsJobTracking: true, containers });
    const facts = await gathering(failing, [], [{ ...pod, disrupted: true }]).gather(stuck('a'));
    expect(facts.get('demo/a/uid-of-a')).toMatchObject({ job: { failedPods: 3 }, failures: [] });
  });

  const warned = (problem: string) => {
    const message = `their pods cannot be listed: ${problem}`;
    return { kind: 'Warned', warning: { kind: 'JobsUnreadable', namespaces: ['demo'], message } };
  };

  it('is nothing under OnFailure if its pods cannot be listed, of which a namespace is warned once', async () => {
    const { gather, events } = gathering(present, 'Unlisted');
    const facts = await gather(stuck('a', onFailure), stuck('b', onFailure));
    expect([...facts.values()]).toEqual([{ kind: 'Unreadable' }, { kind: 'Unreadable' }]);
    expect(events).toEqual([warned('TimedOut!')]);
  });

  const failing = presentJob({ failedPods: 1 });
  const grant =
    'grant get, list on pods with the rule - {apiGroups: [""], resources: [pods], verbs: [get, list]}';

  it.each<readonly [Problem['kind'], readonly object[]]>([
    ['Forbidden', [warned(`Forbidden!; ${grant}`)]],
    ['TimedOut', [warned('TimedOut!')]],
    ['Interrupted', []],
  ])('is nothing if its failed pods cannot be listed, which are asked for once: %s', async (kind, events) => {
    const unlistable = gathering(failing, [], kind);
    const facts = await unlistable.gather(stuck('a'), stuck('b'));
    expect([...facts.values()]).toEqual([{ kind: 'Unreadable' }, { kind: 'Unreadable' }]);
    expect(unlistable.asked).toEqual(['job demo/a', 'job demo/b', 'failed pods of demo']);
    expect(unlistable.events).toEqual(events);
  });

  const withRule = (rule: FailureRule) => presentJob({ failureRules: [rule] });
  const ofFailed = ['job demo/a', 'failed pods of demo'];

  // biome-ignore format: one row a line
  it.each<readonly [title: string, JobReading, Partial<PodView>, asked: readonly string[], JobFacts['kind']]>([
    ['does not need the failed pods of a Job that has none', present, {}, ['job demo/a'], 'Known'],
    ['does not need those that a policy ignores because of a disruption', withRule(onPodConditions('Ignore', 'DisruptionTarget')), {}, ['job demo/a'], 'Known'],
    ['needs those that a policy may have ignored because of an exit code', withRule(onExitCodes('Ignore', [143])), {}, ofFailed, 'Known'],
    ['needs those that it may have ignored because of another condition', withRule(onPodConditions('Ignore', 'DisruptionTarget', 'Ready=False')), {}, ofFailed, 'Known'],
    ['needs those that it may have ignored without a disruption', withRule(onPodConditions('Ignore', 'DisruptionTarget=False')), {}, ofFailed, 'Known'],
    ['does not need its pods if it is gone', { kind: 'Gone' }, onFailure, ['job demo/a'], 'Gone'],
    ...(['Forbidden', 'TimedOut'] as const).map((kind) => [`does not need its pods if its read is ${kind}`, unreadable(kind), onFailure, ['job demo/a'], 'Unreadable'] as const),
  ])('%s', async (_title, reading, pod, expected, kind) => {
    const { gather, asked } = gathering(reading);
    expect((await gather(stuck('a', pod))).get('demo/a/uid-of-a')).toMatchObject({ kind });
    expect(asked).toEqual(expected);
  });

  it('is not asked for pods without a Job of Kubernetes', async () => {
    const { gather, asked } = gathering();
    const volcano = candidate(podView({ owner: job('a', 'batch.volcano.sh') }));
    expect(await gather(candidate(podView({ owner: undefined })), volcano)).toEqual(new Map());
    expect(await gather()).toEqual(new Map());
    expect(asked).toEqual([]);
  });
});

describe('what a Job adds up', () => {
  const unread = unreadable('TimedOut');
  const named = { image: 'acme/proxy:1', ranImage: 'mirror.example/copy:1' };
  const onFailure = podView({
    restartPolicy: 'OnFailure',
    restarts: 2,
    containers: [container('sidecar', running, named)],
  });
  const due = podView({
    ref: { namespace: 'demo', name: 'due', uid: 'due' },
    restartPolicy: 'OnFailure',
    containers: [container('main', exited()), container('sidecar', exited(1))],
  });
  const counts = (pod: PodView, job: JobReading, pods: ListReading<PodView>) =>
    readCounts(
      pod,
      { read: async () => job },
      clusterWith({ listJobPods: async () => pods }),
      [],
      now,
      abort,
    );

  // biome-ignore format: one row a line
  it.each<readonly [string, PodView, JobReading, object | undefined]>([
    ['is nothing of a pod without one', podView({ owner: undefined }), unread, undefined],
    ['is nothing of one that is gone', onFailure, { kind: 'Gone' }, { reading: { kind: 'Gone' }, restarts: new Map() }],
    ['is unknown of one that cannot be read', onFailure, unread, { reading: unread, restarts: new Map() }],
    ['is without restarts under Never', podView(), present, { reading: present, restarts: new Map() }],
    ['is with those of all its pods under OnFailure', onFailure, present, { reading: present, restarts: new Map([[onFailure.ref.uid, 2], ['due', 1]]) }],
  ])('%s', async (_title, pod, job, expected) => {
    expect(await counts(pod, job, { kind: 'Read', items: [onFailure, due] })).toEqual(expected && { at: now, ...expected });
  });

  it('is unknown if its pods cannot be listed', async () => {
    expect(await counts(onFailure, present, unread)).toEqual({
      at: now,
      reading: unread,
      restarts: new Map(),
    });
  });
});
