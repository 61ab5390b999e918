import { beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/model/ports.ts';
import { sidecarsOf } from '../../src/report/sweep/planned.ts';
import type { Pod } from '../kit/emulator/index.ts';
import { noopImages } from '../kit/random/noop-images.ts';
import { quits, stuckPod } from '../kit/stuck-pods.ts';
import { connectLimited, grant, subsetsOf, type Verb } from './accounts.ts';
import { playEach } from './every-request.ts';
import { expectSound, FaultyCluster, type Played, survive, type Trouble } from './faulty-cluster.ts';
import { tally } from './tally.ts';

const cluster = FaultyCluster.startedOnce();
let account: Cluster;
beforeAll(async () => {
  account = await connectLimited(cluster);
});

/** A sidecar that every method ends, in a sweep that may use every method. */
const everyMethod: Trouble = {
  policy: {
    annotationCommands: 'any',
    imageSwap: noopImages.HasAll,
    lastResort: [
      { ephemeralContainer: { image: 'docker.io/local/busybox:1' } },
      { deadline: true },
      { evict: true },
      { delete: true },
    ],
  },
};

function endsByAll(namespace: string, name: string) {
  const sidecar = { quit: quits.sidecar.quit, on: { SIGTERM: { exitCode: 0 } } };
  return stuckPod({ ...quits, namespace, name, sidecar });
}

/** In the order in which they are tried; the deadline needs what the swap needs. */
const ladder: readonly (readonly [method: string, needs: readonly Verb[]])[] = [
  ['Http', ['get pods/portforward', 'create pods/portforward']],
  ['ImageSwap', ['patch pods']],
  ['Signal', ['get pods/exec', 'create pods/exec']],
  ['EphemeralContainer', ['patch pods/ephemeralcontainers']],
  ['Evict', ['create pods/eviction']],
  ['Delete', ['delete pods']],
];

const optional: readonly Verb[] = ['get namespaces', 'get pods', ...ladder.flatMap(([, needs]) => needs)];

describe('A4: every subset of what an account may do in a namespace', () => {
  it('lets the first method do it that is allowed, and nothing is asked for in vain', async () => {
    const subsets = subsetsOf(optional);
    const played = await playEach(
      cluster,
      subsets.map((verbs) => ({
        ...everyMethod,
        cluster: account,
        pods: (namespace) => [endsByAll(namespace, 'pod')],
        trouble: (namespace, { world }) => grant(world, namespace, ['list pods', ...verbs]),
      })),
    );
    const judge = (one: Played, index: number) => {
      const verbs = subsets[index] ?? [];
      expect(resultOf(one), verbs.join(', ')).toEqual(expected(verbs));
      const inVain = one.requests.filter(({ status }) => status === 403).map(verbOf);
      expect(inVain.filter((verb) => verb !== 'get pods' && verb !== 'get namespaces')).toEqual([]);
    };
    survive('A4', played, judge, 'permissions');
  });

  it('what is missing in one namespace of a sweep is missing in no other', async () => {
    const several: readonly Verb[] = ['list pods', 'get namespaces', 'get pods', 'patch pods', 'delete pods'];
    const subsets = subsetsOf(several);
    const names = subsets.map((_verbs, at) => `team-${at}`);
    const played = await cluster.play({
      ...everyMethod,
      flags: { ...everyMethod.flags, namespaces: names },
      cluster: account,
      pods: () => names.map((name) => endsByAll(name, 'pod')),
      trouble: (_namespace, { world }) => {
        for (const [at, name] of names.entries()) grant(world, name, subsets[at] ?? []);
      },
    });
    expectSound([played], 'A4');
    const { report, exitCode, store } = played;
    expect(exitCode).toBe(3);
    for (const [at, namespace] of names.entries()) {
      const verbs = subsets[at] ?? [];
      const title = verbs.join(', ');
      const isReadable = verbs.includes('list pods') && verbs.includes('get namespaces');
      const isUnread = report.unread.some((one) => one.namespace === namespace);
      const pod = report.pods.find((one) => one.namespace === namespace);
      expect([isUnread, pod !== undefined], title).toEqual([!isReadable, isReadable]);
      const [exitCode, method] = isReadable ? expected(verbs) : [4];
      const ended = { Delete: 'Gone', ImageSwap: 'Ended' }[method ?? ''];
      const isLeft = store.get<Pod>('pods', namespace, 'pod')?.status?.phase === 'Running';
      expect([pod?.outcome.kind ?? 'Unread', isLeft], title).toEqual([
        ended ?? expect.any(String),
        exitCode !== 0,
      ]);
    }
    tally('permissions', 'A4', subsets.length);
  });

  it('warns once of each method, however many pods need it', async () => {
    const played = await cluster.play({
      ...everyMethod,
      cluster: account,
      pods: (namespace) => [0, 1, 2].map((index) => endsByAll(namespace, `pod-${index}`)),
      trouble: (namespace, { world }) => grant(world, namespace, ['list pods', 'get pods', 'get namespaces']),
    });
    const denied = played.report.warnings.flatMap((one) => (one.kind === 'NoPermission' ? one.method : []));
    // biome-ignore format: as many as fit on a line
    expect(denied).toEqual([
      'Http', 'Signal', 'ImageSwap', 'EphemeralContainer', 'Deadline', 'Evict', 'Delete',
    ]);
    expect(played.exitCode).toBe(4);
  });
});

describe('A3: 403 for lists', () => {
  it('of all namespaces says what to grant, and ends with 3', async () => {
    const played = await cluster.play({ cluster: account, flags: { namespaces: [] } });
    const says = 'cannot list resource "pods" in API group "" at the cluster scope';
    const unread = [{ problem: 'Forbidden', message: expect.stringContaining(says) }];
    const judge = ({ exitCode, report }: Played) => {
      expect(exitCode).toBe(3);
      expect(report).toMatchObject({ pods: [], unread });
    };
    survive('A3', [played], judge, 'permissions');
  });

  it('of some namespaces, and for exec in some, leaves the others as they are', async () => {
    const letters = ['a', 'b', 'c'];
    const both = subsetsOf(letters).flatMap((listed) => subsetsOf(letters).map((exec) => ({ listed, exec })));
    const named = both.map((one, index) => ({ ...one, prefix: `some-${index}` }));
    const played = await playEach(
      cluster,
      named.map(({ listed, exec, prefix }) => ({
        cluster: account,
        flags: { namespaces: letters.map((letter) => `${prefix}-${letter}`) },
        pods: () => letters.map((letter) => stuckPod({ namespace: `${prefix}-${letter}`, name: letter })),
        trouble: (_namespace, { world }) => {
          for (const letter of letters) {
            grant(world, `${prefix}-${letter}`, [
              'get namespaces',
              'get pods',
              ...(listed.includes(letter) ? (['list pods'] as const) : []),
              ...(exec.includes(letter) ? (['get pods/exec', 'create pods/exec'] as const) : []),
            ]);
          }
        },
      })),
    );
    const judge = ({ report, exitCode }: Played, index: number) => {
      const { listed, exec, prefix } = named[index] ?? expect.fail();
      const at = `listed ${listed}, exec ${exec}`;
      expect(report.unread.map(({ namespace }) => namespace).sort(), at).toEqual(
        letters.filter((letter) => !listed.includes(letter)).map((letter) => `${prefix}-${letter}`),
      );
      for (const { name, outcome } of report.pods) {
        expect(outcome.kind, `${name} if ${at}`).toBe(exec.includes(name) ? 'Ended' : 'Stuck');
      }
      expect(report.pods.map(({ name }) => name).sort(), at).toEqual(listed);
      const isResolved = listed.every((letter) => exec.includes(letter));
      expect(exitCode, at).toBe(listed.length < letters.length ? 3 : isResolved ? 0 : 4);
    };
    survive('A3', played, judge, 'permissions');
  });
});

function expected(verbs: readonly Verb[]): readonly [exitCode: number, method?: string] {
  if (!verbs.includes('get namespaces')) return [3];
  const [method] = ladder.find(([, needs]) => needs.every((verb) => verbs.includes(verb))) ?? [];
  return method !== undefined && verbs.includes('get pods') ? [0, method] : [4];
}

function resultOf({ report, exitCode }: Played): readonly [exitCode: number, method?: string] {
  const attempts = report.pods.flatMap(sidecarsOf).flatMap((sidecar) => sidecar.attempts);
  const accepted = attempts.find(({ result }) => result.kind === 'Accepted');
  return accepted ? [exitCode, accepted.method] : [exitCode];
}

function verbOf({ verb, resource, subresource }: Played['requests'][number]): string {
  return `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}`;
}
