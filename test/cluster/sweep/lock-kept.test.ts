import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { loadConfig } from '../../../src/kube/auth/config.ts';
import { type OpenCluster, openCluster } from '../../../src/kube/cluster.ts';
import { type Lock, takeLock } from '../../../src/lock/lock.ts';
import type { LeaseReading, Leases } from '../../../src/model/ports.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { type SteppedClock, steppedClock } from '../../kit/emulator/index.ts';
import { TestCluster } from '../../kit/stuck-pods.ts';

const lease = { namespace: 'default', name: 'sidecar-sweeper' };
const { signal: abort } = new AbortController();

let test: TestCluster;
let cluster: OpenCluster;
let clock: SteppedClock;
let onLost: ReturnType<typeof vi.fn<() => void>>;
let onUnlocked: ReturnType<typeof vi.fn<() => void>>;
let lock: Lock;

beforeAll(async () => {
  test = await TestCluster.start();
  cluster = await openCluster(await loadConfig({ env: {}, kubeconfig: await test.kubeconfig() }), 30_000);
});
afterAll(async () => {
  await cluster.close();
  await test.stop();
});

beforeEach(async () => {
  const { store } = test.emulator.world;
  if (store.get('leases', lease.namespace, lease.name)) store.delete('leases', lease.namespace, lease.name);
  test.emulator.faults.clear();
  clock = steppedClock(Date.now());
  onLost = vi.fn();
  onUnlocked = vi.fn();
  lock = await takeLock({
    leases,
    clock: clockOf(clock),
    random: () => 0.5,
    lease,
    holder: 'first',
    stop: abort,
    onLost,
    onUnlocked,
  });
});

let underWay = 0;
function counted<T>(request: Promise<T>): Promise<T> {
  underWay++;
  return request.finally(() => {
    underWay--;
  });
}

/** The cluster's leases; it is known when all requests have been answered. */
const leases: Leases = {
  createLease: (...request) => counted(cluster.createLease(...request)),
  readLease: (...request) => counted(cluster.readLease(...request)),
  updateLease: (...request) => counted(cluster.updateLease(...request)),
};

/** Lets a second pass, and waits for the answers to what was sent in it. */
async function passSecond(): Promise<void> {
  await clock.advance(1_000);
  await vi.waitFor(() => expect(underWay).toBe(0), 60_000);
}

/** Lets time pass until the next renewal has been answered. */
async function renewOnce(): Promise<void> {
  const before = puts();
  while (puts() === before) await passSecond();
}

function puts(): number {
  return test.emulator.requests.filter(({ method, status }) => method === 'PUT' && status !== 0).length;
}

async function read(): Promise<Extract<LeaseReading, { kind: 'Present' }>> {
  const reading = await cluster.readLease(lease, abort);
  if (reading.kind !== 'Present') throw new Error(reading.problem.message);
  return reading;
}

/** Time passes meanwhile, because a release that fails is tried again. */
async function release(): Promise<void> {
  if (lock.kind !== 'Taken') return;
  let isOver = false;
  const releasing = lock.release().finally(() => {
    isOver = true;
  });
  while (!isOver) await passSecond();
  await releasing;
}

it('is renewed every 15 s by the server’s time, and free after its release', async () => {
  const { renewedAt = 0 } = (await read()).lease;
  await renewOnce();
  expect((await read()).lease).toMatchObject({ holder: 'first', renewedAt: renewedAt + 15_000 });
  await renewOnce();
  expect((await read()).lease).toMatchObject({ holder: 'first', renewedAt: renewedAt + 30_000 });
  await release();
  expect((await read()).lease.holder).toBe('');
  expect(onLost).not.toHaveBeenCalled();
});

it('is lost if another holder has taken it, and then not released', async () => {
  await cluster.updateLease(lease, { ...(await read()).lease, holder: 'second' }, abort);
  await clock.advance(15_000);
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce(), 60_000);
  await release();
  expect((await read()).lease.holder).toBe('second');
});

it('is not lost if the answer to a successful renewal is lost', async () => {
  const { faults } = test.emulator;
  faults.add({ method: 'PUT' }, { kind: 'CutBody', bytes: 10 }, { times: 1 });
  for (let round = 0; round < 4; round++) await renewOnce();
  expect(onLost).not.toHaveBeenCalled();
  await release();
  expect((await read()).lease.holder).toBe('');
});

it('is given up before it expires if renewals fail', async () => {
  test.emulator.faults.add({ method: 'PUT' }, { kind: 'Answer', status: 500 });
  const began = clock.now().getTime();
  await renewOnce();
  await renewOnce();
  expect(onLost).not.toHaveBeenCalled();
  while (onLost.mock.calls.length === 0) await passSecond();
  expect(clock.now().getTime() - began).toBeLessThanOrEqual(40_000);
  await release();
});

it('does not stop the sweep if renewals are forbidden, which is reported', async () => {
  const message = 'leases is forbidden';
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'UnknownEnd', message };
  test.emulator.faults.add({ method: 'PUT' }, { kind: 'Answer', status: 403, body });
  await clock.advance(15_000);
  await vi.waitFor(() => expect(onUnlocked).toHaveBeenCalledWith({ kind: 'Forbidden', message }), 60_000);
  expect(onLost).not.toHaveBeenCalled();
  await release();
});

it('goes to one of two holders that find it free at the same time', async () => {
  await release();
  const both = await Promise.all(
    ['second', 'third'].map((holder) =>
      takeLock({
        leases,
        clock: clockOf(clock),
        random: () => 0.5,
        lease,
        holder,
        stop: abort,
        onLost,
        onUnlocked,
      }),
    ),
  );
  expect(both.map(({ kind }) => kind).sort()).toEqual(['Occupied', 'Taken']);
  for (const one of both) if (one.kind === 'Taken') await one.release();
});
