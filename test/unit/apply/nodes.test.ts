import { describe, expect, it } from 'vitest';
import { goesThroughNode, Nodes } from '../../../src/apply/nodes.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { Cluster, ExecResult } from '../../../src/model/ports.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { sweep } from '../../../src/sweep.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { steps } from '../../builders/plan.ts';
import { container, exited, now, podView, running } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { steppedClock } from '../../kit/emulator/index.ts';

const silent: ExecResult = { kind: 'Undelivered', message: 'no result within 30s', silentNode: true };
const ran: ExecResult = { kind: 'Exited', exitCode: 0, output: 'sent TERM to 1' };

function podOn(node: string, name: string, more: Partial<PodView> = {}): PodView {
  return podView({ ref: { namespace: 'demo', name, uid: `uid-${name}` }, node, owner: undefined, ...more });
}

describe('requests through one node', () => {
  function stage(concurrency = 10) {
    const time = steppedClock(now);
    const slots = createSlots(concurrency);
    const nodes = new Nodes(slots, clockOf(time), concurrency);
    let inFlight = 0;
    const ask = (node: string, takes: number) =>
      nodes.through(node, async () => {
        inFlight++;
        await new Promise<void>((resolve) => void time.after(takes, resolve));
        inFlight--;
      });
    const answer = (node: string, name: string, result: ExecResult) =>
      nodes
        .watch(podOn(node, name), clusterWith({ exec: async () => result }))
        .exec({ namespace: 'demo', name, uid: name }, 'sidecar', [], new AbortController().signal);
    return { time, slots, nodes, ask, answer, inFlight: () => inFlight };
  }

  it('are four at a time, and those that wait occupy no slot', async () => {
    const { time, slots, nodes, ask, answer, inFlight } = stage();
    await answer('a', 'one', ran);
    const all = Array.from({ length: 12 }, () => ask('a', 100));
    await time.advance(1);
    expect(inFlight()).toBe(4);
    expect(await slots(async () => 'free')).toBe('free');
    await time.advance(300);
    await Promise.all(all);
    expect(nodes.most()).toEqual({ ofNode: 4, silent: 0 });
  });

  it('begin with a single one, until the node has answered', async () => {
    const { time, ask, inFlight } = stage();
    const all = Array.from({ length: 3 }, () => ask('a', 100));
    await time.advance(1);
    expect(inFlight()).toBe(1);
    await time.advance(300);
    await Promise.all(all);
  });

  it('give their slots back when the node stays silent, as many as there are slots', async () => {
    const { time, nodes, slots, ask, inFlight } = stage(2);
    const hanging = ['a', 'b', 'c', 'd', 'e'].map((node) => ask(node, 30_000));
    await time.advance(2_999);
    expect(inFlight()).toBe(2);
    await time.advance(10_000);
    expect(inFlight()).toBe(4);
    expect(nodes.most().silent).toBe(2);
    await time.advance(60_000);
    await Promise.all(hanging);
    expect(slots.most()).toBe(2);
  });

  it('are given up when it did not answer for three pods in a row', async () => {
    const { nodes, answer } = stage();
    for (const name of ['one', 'two', 'two', 'one']) await answer('a', name, silent);
    expect(nodes.isLost('a')).toBe(false);
    await answer('a', 'three', silent);
    expect([nodes.isLost('a'), nodes.isLost('b'), nodes.isLost(undefined)]).toEqual([true, false, false]);
  });

  it('are not given up if it has answered in between, and go on if it answers after all', async () => {
    const { nodes, answer } = stage();
    let count = 0;
    for (const result of [silent, silent, ran, silent, silent]) await answer('a', `${count++}`, result);
    expect(nodes.isLost('a')).toBe(false);
    await answer('a', 'another', silent);
    expect(nodes.isLost('a')).toBe(true);
    await answer('a', 'last', ran);
    expect(nodes.isLost('a')).toBe(false);
  });

  it('leave no room for more pods while many are in line, but for those of silent nodes', async () => {
    const { time, nodes, ask } = stage(2);
    let hasRoom = false;
    const all = Array.from({ length: 20 }, () => ask('silent', 30_000));
    const waiting = nodes.room().then(() => {
      hasRoom = true;
    });
    await time.advance(2_999);
    expect(hasRoom).toBe(false);
    await time.advance(1);
    await waiting;
    const fine = Array.from({ length: 20 }, (_, index) => ask(`fine-${index}`, 100));
    hasRoom = false;
    const again = nodes.room().then(() => {
      hasRoom = true;
    });
    await time.advance(100);
    expect(hasRoom).toBe(false);
    await time.advance(600_000);
    await Promise.all([...all, ...fine, again]);
  });

  it.each<ExecResult>([
    { kind: 'Undelivered', message: 'the sweep was stopped' },
    { kind: 'Unconfirmed', message: 'the connection closed without a result (1006)' },
    { kind: 'Busy', message: 'too many requests', retryAfter: 1_000 },
    { kind: 'NotThere', message: 'container not found' },
    { kind: 'Refused', message: 'forbidden' },
  ])('say nothing of it with $kind: $message', async (result) => {
    const { nodes, answer } = stage();
    for (const name of ['one', 'two']) await answer('a', name, silent);
    for (const name of ['three', 'four']) await answer('a', name, result);
    expect(nodes.isLost('a')).toBe(false);
    await answer('a', 'five', silent);
    expect(nodes.isLost('a')).toBe(true);
  });
});

it('exec, port-forward and logs go through the node, the API server does the rest itself', () => {
  const through = Object.values(steps).filter((step) => goesThroughNode({ ...step }, { keepLogs: 0 }));
  expect(through.map(({ method }) => method).sort()).toEqual(['Command', 'Http', 'Signal', 'Tombstone']);
  expect(goesThroughNode({ ...steps.ImageSwap }, { keepLogs: 10 })).toBe(true);
});

describe('a sweep of which 10 % of the nodes hang', () => {
  const nodes = 50;
  const podsOfNode = 8;
  const requestTimeout = 30_000;

  /** When each pod was concluded, in milliseconds since the plan was made. */
  async function swept(hanging: number) {
    const time = steppedClock(now);
    const clock = clockOf(time);
    const pods = new Map<string, PodView>();
    for (let index = 0; index < nodes * podsOfNode; index++) {
      const pod = podOn(`node-${index % nodes}`, `pod-${index}`);
      pods.set(pod.ref.uid, pod);
    }
    const takes = (milliseconds: number) =>
      new Promise<void>((resolve) => void time.after(milliseconds, resolve));
    const cluster: Cluster = clusterWith({
      async *listPods() {
        yield { kind: 'Page', pods: [...pods.values()], malformed: [], asOf: clock.now() };
      },
      readPod: async ({ uid = '' }) => {
        await takes(10);
        const pod = pods.get(uid);
        return pod ? { kind: 'Present', pod, asOf: clock.now() } : { kind: 'Gone' };
      },
      mayI: async () => ({ kind: 'Allowed' }),
      readNode: async () => ({ kind: 'Ready', platform: 'linux/amd64' }),
      readNamespace: async () => ({ kind: 'Gone' }),
      exec: async ({ uid }) => {
        const pod = pods.get(uid);
        const isHanging = Number(pod?.node?.replace('node-', '')) < hanging;
        await takes(isHanging ? requestTimeout : 50);
        if (isHanging || !pod) return silent;
        const containers = [container('main', exited()), container('sidecar', exited(0, clock.now()))];
        pods.set(uid, { ...pod, containers, phase: 'Succeeded', awaitsJobTracking: false });
        return ran;
      },
    });
    const concluded = new Map<string, { readonly at: number; readonly outcome: string }>();
    let began = now;
    let load: Extract<SweepEvent, { kind: 'SweepFinished' }>['load'];
    const sweeping = sweep({
      run: { id: 'a', version: 'test', dryRun: false, context: '', server: '' },
      policy: policy(),
      cluster,
      self: undefined,
      clock,
      random: () => 0,
      emit(event) {
        if (event.kind === 'PlanMade') began = clock.now();
        if (event.kind === 'SweepFinished') load = event.load;
        if (event.kind !== 'PodConcluded') return;
        const { pod, outcome } = event.conclusion;
        const why = outcome.kind === 'NotAttempted' ? `${outcome.kind}: ${outcome.reason}` : outcome.kind;
        concluded.set(pod.uid, { at: clock.now() - began, outcome: why });
      },
      concurrency: 10,
      stop: new AbortController().signal,
    });
    let isOver = false;
    void sweeping.finally(() => {
      isOver = true;
    });
    while (!isOver && clock.now() - now < 3_600_000) await time.advance(500);
    await sweeping;
    const ends = [...concluded].map(([uid, end]) => ({
      ...end,
      hangs: Number(pods.get(uid)?.node?.replace('node-', '')) < hanging,
    }));
    return { load, healthy: ends.filter(({ hangs }) => !hangs), hung: ends.filter(({ hangs }) => hangs) };
  }

  it('ends the pods of all others as soon as without them, and does not wait for the rest of theirs', async () => {
    const without = await swept(0);
    const { load, healthy, hung } = await swept(5);
    const last = (ends: readonly { readonly at: number }[]) => Math.max(...ends.map(({ at }) => at));
    expect(new Set(healthy.map(({ outcome }) => outcome))).toEqual(new Set(['Ended']));
    // For as long as it takes until the slots of silent nodes are free again, half of them are left.
    expect(last(healthy)).toBeLessThan(last(without.healthy) + 3_000);
    const lost = hung.filter(({ outcome }) => outcome === 'NotAttempted: NodeUnreachable');
    expect(hung).toHaveLength(5 * podsOfNode);
    expect(lost).toHaveLength(5 * (podsOfNode - 3));
    expect(last(lost)).toBeLessThan(4 * requestTimeout);
    expect(load).toEqual({ requests: 10, requestsOfNode: 4, silentRequests: 5, connections: undefined });
  });
});

it('one pod whose exec hangs does not condemn its node', async () => {
  const nodes = new Nodes(createSlots(4), clockOf(steppedClock(now)), 4);
  const stuck = podOn('a', 'stuck', { containers: [container('sidecar', running)] });
  const cluster = nodes.watch(stuck, clusterWith({ exec: async () => silent }));
  for (let times = 0; times < 10; times++)
    await cluster.exec(stuck.ref, 'sidecar', [], new AbortController().signal);
  expect(nodes.isLost('a')).toBe(false);
});
