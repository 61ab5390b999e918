import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../../src/kube/auth/config.ts';
import { openCluster } from '../../../src/kube/cluster.ts';
import type { Cluster } from '../../../src/model/ports.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { sweep } from '../../../src/sweep.ts';
import { systemClock } from '../../../src/util/time.ts';
import { warningsDuring } from '../../builders/warnings.ts';
import { addNode } from '../../kit/emulator/index.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;

beforeAll(async () => {
  const pods = Array.from({ length: 60 }, (_, index) =>
    // One node alone is spared more than a few at a time.
    stuckPod({ name: `pod-${index}`, node: `node-${index % 6}`, sidecar: sidecars.stubborn }),
  );
  cluster = await TestCluster.start(pods);
  for (let index = 0; index < 6; index++) addNode(cluster.emulator, `node-${index}`);
});
afterAll(() => cluster.stop());

it('never has more requests in flight than --concurrency, and none during waits', async () => {
  const config = await loadConfig({ kubeconfig: await cluster.kubeconfig(), context: undefined, env: {} });
  const open = await openCluster(config, 10_000);
  const inFlight = new Gauge();
  const counted: Cluster = {
    ...open,
    readPod: (ref, abort) => inFlight.during(() => open.readPod(ref, abort)),
    readJob: (namespace, owner, abort) => inFlight.during(() => open.readJob(namespace, owner, abort)),
    readNode: (name, abort) => inFlight.during(() => open.readNode(name, abort)),
    readNamespace: (name, abort) => inFlight.during(() => open.readNamespace(name, abort)),
    exec: (ref, container, command, abort) =>
      inFlight.during(() => open.exec(ref, container, command, abort)),
  };
  const warnings = await warningsDuring(() =>
    sweep({
      run: { id: 'test', version: 'test', dryRun: false, context: '', server: '' },
      policy: resolvePolicy({ namespaces: [], lastResort: [] }, undefined),
      cluster: counted,
      self: undefined,
      clock: systemClock,
      emit: () => undefined,
      concurrency: 7,
      stop: new AbortController().signal,
    }),
  );
  await open.close();
  expect(inFlight.highest).toBe(7);
  expect(warnings).toEqual([]);
  expect(inFlight.wasIdleInBetween).toBe(true);
});

/** Counts concurrent requests. */
class Gauge {
  #now = 0;
  #seen = 0;
  highest = 0;
  wasIdleInBetween = false;

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.highest = Math.max(this.highest, ++this.#now);
    try {
      return await work();
    } finally {
      this.#seen++;
      // After the first read and exec of each pod, all wait for the grace period.
      if (--this.#now === 0 && this.#seen >= 120) this.wasIdleInBetween = true;
    }
  }
}
