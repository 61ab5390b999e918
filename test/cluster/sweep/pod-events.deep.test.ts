import { beforeEach, describe, expect, it } from 'vitest';
import { policyFlag } from '../../kit/cli.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
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
