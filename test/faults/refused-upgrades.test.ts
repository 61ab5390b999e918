import { describe, expect, it } from 'vitest';
import type { FaultAction, Pod, RequestRecord } from '../kit/emulator/index.ts';
import { noopImages } from '../kit/random/noop-images.ts';
import { podsOfJob } from '../kit/stuck-jobs.ts';
import { quits, type StuckPod, stuckPod } from '../kit/stuck-pods.ts';
import { FaultyCluster, playOne } from './faulty-cluster.ts';
import { execs, outcomeOf, type Stream, type Stumble, stumble, tell, tunnels } from './streams.ts';

const cluster = FaultyCluster.startedOnce();

/** What the program makes of an answer instead of an upgrade. */
type Meaning = 'Refused' | 'NotThere' | 'Busy' | 'Undelivered' | 'Unconfirmed' | 'NotUpgraded';

const bare: readonly (readonly [status: number, Meaning])[] = [
  [404, 'NotThere'],
  ...[400, 403, 405, 426, 501].map((status) => [status, 'NotUpgraded'] as const),
  [429, 'Busy'],
  ...[502, 503, 504, 520, 524].map((status) => [status, 'Unconfirmed'] as const),
  ...[200, 301, 307, 401, 409, 500].map((status) => [status, 'Undelivered'] as const),
];

// biome-ignore format: one row a line
const explained: readonly (readonly [status: number, Meaning, body: string | object])[] = [
  [403, 'Refused', { kind: 'Status', status: 'Failure', message: 'pods is forbidden', code: 403 }],
  [400, 'Refused', { kind: 'Status', status: 'Failure', message: 'admission webhook "x" denied the request: no' }],
  [422, 'Refused', { kind: 'Status', status: 'Failure', message: "ValidatingAdmissionPolicy 'x' denied request: no" }],
  [404, 'NotThere', { kind: 'Status', status: 'Failure', message: 'pods "node-1" not found', code: 404 }],
  [404, 'NotThere', '404 page not found'],
  [400, 'NotThere', { kind: 'Status', status: 'Failure', message: 'container sidecar is not valid for pod' }],
  [400, 'NotUpgraded', { kind: 'Status', status: 'Failure', message: 'Upgrade request required', code: 400 }],
  [400, 'NotUpgraded', '<html><center><h1>400 Bad Request</h1></center></html>'],
  [500, 'NotThere', 'container not found ("sidecar")'],
  [500, 'Undelivered', { kind: 'Status', status: 'Failure', message: 'no', code: 500 }],
  [500, 'Unconfirmed', { kind: 'Status', status: 'Failure', message: 'unexpected EOF', code: 500 }],
  [502, 'Unconfirmed', '<html>Bad Gateway</html>'],
  [503, 'Unconfirmed', 'upstream connect error or disconnect/reset before headers. reset reason: connection termination'],
  [503, 'Busy', { kind: 'Status', status: 'Failure', message: 'apiserver is shutting down', code: 503 }],
  [500, 'Undelivered', 'error dialing backend: dial tcp 10.0.0.1:10250: connect: connection refused'],
];

const refusals = [...bare.map(([status, meaning]) => [status, meaning, ''] as const), ...explained];

/**
 * A refusal that may pass is tried again, one that may mean the sidecar's end is waited for, and only one for good is passed over,
 * as is one that every try gets because connections are not upgraded.
 */
function outcomeAfter(meaning: Meaning, isOnce: boolean, { subresource }: Stream): string {
  switch (meaning) {
    case 'Refused':
      return subresource === 'exec' ? 'StillRunning Refused' : 'StillRunning NoSuchProgram';
    case 'NotThere':
      return 'Unproven';
    case 'NotUpgraded':
      if (isOnce) return 'Stopped 0';
      return subresource === 'exec' ? 'StillRunning Unsupported' : 'StillRunning NoSuchProgram';
    case 'Unconfirmed':
      if (isOnce) return 'Stopped 0';
      // Without a tunnel, no request went through it.
      return subresource === 'exec' ? 'Unproven' : 'StillRunning Undelivered';
    case 'Busy':
    case 'Undelivered':
      return isOnce ? 'Stopped 0' : 'StillRunning Undelivered';
  }
}

function resultOf(meaning: Meaning, status: number, { subresource }: Stream): string {
  if (meaning === 'NotUpgraded') return 'Undelivered';
  if (meaning !== 'Unconfirmed' || subresource === 'exec') return meaning;
  return status === 503 ? 'Busy' : 'Undelivered';
}

describe.each([execs, tunnels])('B1: an upgrade to $subresource that is refused', (stream) => {
  it.each([
    ['once', 1],
    ['every time', undefined],
  ])('%s costs its own pod at most, whatever the status', async (_often, times) => {
    const cases = refusals.map(([status, meaning, body]): Stumble => {
      const outcome = outcomeAfter(meaning, times === 1, stream);
      return { stream, times, action: { kind: 'Answer', status, body }, outcome };
    });
    const told = await stumble(cluster, 'B1', cases);
    for (const [index, [status, meaning]] of refusals.entries()) {
      const { outcome, attempts } = told[index] ?? expect.fail();
      const result = resultOf(meaning, status, stream);
      const isRepeated = outcome === 'Stopped 0' && result !== 'Unconfirmed';
      expect([status, attempts[0]]).toEqual([status, isRepeated ? 'Accepted' : result]);
    }
  });
});

it.each<readonly [string, FaultAction]>([
  ...[502, 503, 504].map(
    (status) => [String(status), { kind: 'Answer', status, body: '<html>no answer</html>' }] as const,
  ),
  ['a connection that breaks', { kind: 'Drop' }],
])('B1: an exec that arrives without an upgrade worked: harm after %s is told', async (_title, action) => {
  const unclean: StuckPod = { sidecar: { on: { SIGTERM: { exitCode: 143 } } } };
  const played = await playOne(cluster, 'B1', {
    flags: { uncleanExit: 'allow' },
    pods: (namespace, { world }) => podsOfJob(world, { namespace, pod: unclean }),
    trouble(namespace, { faults, world }) {
      const match = { subresource: 'exec', namespace };
      const run = ({ name }: RequestRecord) => {
        const { uid = '' } = world.store.get<Pod>('pods', namespace, name)?.metadata ?? {};
        world.kubelet.running(uid, 'sidecar')?.kill('SIGTERM');
      };
      faults.add(match, { kind: 'Before', run });
      faults.add(match, action);
    },
  });
  expect([outcomeOf(played, 'pod-0'), played.report.totals.harm]).toEqual(['Stopped 143', { RunsAgain: 1 }]);
});

/** What a policy may allow besides, each of which needs no upgraded connection. */
const others = {
  ImageSwap: { imageSwap: noopImages.HasAll },
  EphemeralContainer: { lastResort: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }] },
  Evict: { lastResort: [{ evict: true }] },
} as const;

/** Ends well by a request to its port, and by a signal. */
const both: StuckPod = { ...quits, sidecar: { ...execs.pod.sidecar, quit: quits.sidecar.quit } };

describe('B1: behind a proxy that upgrades no connection', () => {
  const proxies = [400, 405, 426, 501].map((status) => ({ kind: 'Answer', status }) as const);

  it('the sidecar is ended by the next method that the policy allows, and no KILL is tried by exec', async () => {
    const cases = proxies.flatMap((action) => Object.entries(others).map((other) => ({ action, other })));
    const told = await tell(
      cluster,
      'B1',
      cases.map(({ action, other: [, policy] }) => ({
        policy: { annotationCommands: 'any', ...policy },
        pods: (namespace) => [stuckPod({ ...both, namespace, name: 'pod-1' })],
        trouble: (namespace, { faults }) => {
          for (const subresource of ['exec', 'portforward']) faults.add({ namespace, subresource }, action);
        },
      })),
    );
    for (const [index, { outcome, attempts, requests }] of told.entries()) {
      const { action, other } = cases[index] ?? expect.fail();
      const at = `${action.status}, ${other[0]}`;
      expect([at, outcome]).toEqual([at, other[0] === 'Evict' ? 'Gone' : 'Stopped 0']);
      expect(attempts.at(-1), at).toBe('Accepted');
      const commands = requests.filter(({ subresource }) => subresource === 'exec');
      expect(
        commands.filter(({ path }) => path.includes('KILL%3A9')),
        at,
      ).toEqual([]);
    }
  });

  it('that upgrades them after some tries, nothing else is done than was asked for', async () => {
    const one = { stream: execs, flags: { lastResort: ['evict'] }, outcome: 'Stopped 0' } as const;
    const cases = proxies.flatMap((action) => [1, 2, 3].map((times) => ({ ...one, action, times })));
    await stumble(cluster, 'B1', cases);
  });
});
