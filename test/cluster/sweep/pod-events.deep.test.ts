import { beforeEach, describe, expect, it } from 'vitest';
import { BEHAVIOUR_ANNOTATION, ensureNamespace, type Pod } from '../../kit/emulator/index.ts';
import { policyFlag } from '../../kit/policy-flag.ts';
import { startedOnce } from '../../kit/started.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => TestCluster.start());
beforeEach(() => cluster.emulator.faults.clear());

/** Places one pod whose sidecar ends and one whose sidecar does not. */
function place(namespace: string): void {
  ensureNamespace(cluster.emulator.world, namespace);
  cluster.emulator.world.placePods([
    stuckPod({ namespace, name: 'clean' }),
    stuckPod({ namespace, name: 'stubborn', sidecar: sidecars.stubborn }),
  ]);
}

function eventsIn(namespace: string) {
  return cluster.emulator.world.store
    .list('events', namespace)
    .map(({ involvedObject, reason, type, message, reportingComponent }) => {
      const { name, uid } = Object(involvedObject);
      return { pod: { name, uid }, reason, type, message, reportingComponent };
    });
}

/** The states of the containers of each pod. */
function statesIn(namespace: string): readonly (readonly string[])[] {
  return cluster.emulator.world.store
    .list<Pod>('pods', namespace)
    .map(({ status }) => (status.containerStatuses ?? []).flatMap(({ state }) => Object.keys(state)));
}

function uidOf(namespace: string, name: string): string | undefined {
  return cluster.emulator.world.store.get('pods', namespace, name)?.metadata.uid;
}

const events = policyFlag({ events: true });

describe('events: true', () => {
  it('writes one Event with the outcome on every pod that was acted on', async () => {
    place('told');
    await cluster.sweep(['-n', 'told', ...events]);
    expect(eventsIn('told')).toEqual([
      {
        pod: { name: 'clean', uid: uidOf('told', 'clean') },
        reason: 'SidecarStopped',
        type: 'Normal',
        message: 'sidecar stopped, exit code 0; pod Succeeded',
        reportingComponent: 'sidecar-sweeper.dev/sweeper',
      },
      {
        pod: { name: 'stubborn', uid: uidOf('told', 'stubborn') },
        reason: 'SidecarNotStopped',
        type: 'Warning',
        message: 'sidecar still running; pod still stuck',
        reportingComponent: 'sidecar-sweeper.dev/sweeper',
      },
    ]);
  });

  it('is required for Events, and has no effect in a dry run', async () => {
    place('silent');
    await cluster.sweep(['-n', 'silent', ...events, '--dry-run']);
    await cluster.sweep(['-n', 'silent']);
    expect(eventsIn('silent')).toEqual([]);
  });
});

it('events: true writes an Event on the Job that a sweep has failed, whose pod is gone', async () => {
  const { world } = cluster.emulator;
  ensureNamespace(world, 'harmed');
  const behaviours = { main: { ends: { exitCode: 0, after: 50 } }, sidecar: sidecars.unclean };
  const annotations = {
    'sidecar-sweeper.dev/sidecars': 'sidecar',
    [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
  };
  const job = world.createJob({
    metadata: { namespace: 'harmed', name: 'work' },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { annotations },
        spec: {
          restartPolicy: 'OnFailure',
          terminationGracePeriodSeconds: 1,
          containers: [
            { name: 'main', image: 'docker.io/local/busybox:1' },
            { name: 'sidecar', image: 'docker.io/local/busybox:1' },
          ],
        },
      },
    },
  });
  await expect.poll(() => statesIn('harmed'), { timeout: 30_000 }).toEqual([['terminated', 'running']]);
  const argv = '-n harmed --min-age 0s --unclean-exit allow'.split(' ');
  const { run, report } = await cluster.sweep([...argv, ...events]);
  expect(report.totals.harm).toEqual({ JobFailed: 1 });
  expect(run.exitCode).toBe(0);
  expect(eventsIn('harmed')).toMatchObject([
    { pod: { name: 'work', uid: job.metadata.uid }, reason: 'FinishedJobFailed', type: 'Warning' },
  ]);
});
