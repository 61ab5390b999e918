import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import {
  BEHAVIOUR_ANNOTATION,
  ensureNamespace,
  type Job,
  type JobManifest,
  type Pod,
} from '../../kit/emulator/index.ts';
import { noopImages } from '../../kit/random/noop-images.ts';
import { stuckJob } from '../../kit/stuck-jobs.ts';
import { FastCluster } from './fast-cluster.ts';

let fast: FastCluster;
beforeAll(async () => {
  fast = await FastCluster.start();
});
afterAll(() => fast.stop());

/** A Job whose log shipper is killed while its main is at work; its proxy would end with 0. */
function jobIn(namespace: string, backoffLimit: number): JobManifest {
  const job = stuckJob({ namespace, sidecar: {}, spec: { backoffLimit } });
  const { metadata, spec } = job.spec.template;
  const behaviours = {
    main: { ends: { exitCode: 0, after: 200 } },
    shipper: { ends: { exitCode: 137, after: 10 } },
    sidecar: { on: { SIGTERM: { exitCode: 0, after: 50 } } },
  };
  const annotations = {
    [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
    'sidecar-sweeper.dev/sidecars': 'sidecar,shipper',
  };
  const containers = [...spec.containers, { name: 'shipper', image: 'docker.io/acme/shipper:1' }];
  const template = { metadata: { ...metadata, annotations }, spec: { ...spec, containers } };
  return { ...job, spec: { ...job.spec, template } };
}

const podsIn = (namespace: string) => fast.emulator.world.store.list<Pod>('pods', namespace);

function isStuck({ status }: Pod): boolean {
  const states = (status.containerStatuses ?? []).map(({ state }) => state);
  return states.filter(({ terminated }) => terminated).length === 2 && states.some(({ running }) => running);
}

async function stick(namespace: string, backoffLimit: number): Promise<void> {
  ensureNamespace(fast.emulator.world, namespace);
  fast.emulator.world.createJob(jobIn(namespace, backoffLimit));
  for (let round = 0; round < 12_000 && !podsIn(namespace).some(isStuck); round++) await setTimeout(5);
}

const swapping = { noopImage: noopImages.HasAll.image, noopPrograms: 'shipped' } as const;

describe('a pod that fails as soon as it ends, because a sidecar of it has crashed', () => {
  it.each([
    ['keeps-its-retries', 6, {}],
    ['keeps-its-last', 0, {}],
    ['is-not-swapped', 0, swapping],
  ] as const)('is blocked: %s', async (namespace, backoffLimit, more) => {
    await stick(namespace, backoffLimit);
    const policy = resolvePolicy({ namespaces: [namespace], lastResort: [], minAge: 0, ...more }, undefined);
    const report = await fast.sweep(policy);
    expect(report.pods).toMatchObject([
      { outcome: { kind: 'Blocked', reason: 'AlreadyUnclean' }, prediction: { phase: 'Running' } },
    ]);
    expect(report.warnings).toContainEqual(
      expect.objectContaining({ kind: 'Blocked', reason: 'AlreadyUnclean' }),
    );
    expect(exitCodeOf(report)).toBe(4);
    const [job] = fast.emulator.world.store.list<Job>('jobs', namespace);
    expect(job?.status).toMatchObject({ active: 1 });
    expect(podsIn(namespace)).toHaveLength(1);
  });
});
