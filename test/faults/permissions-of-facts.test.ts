import { describe, expect, it } from 'vitest';
import { addNode, type Emulator } from '../kit/emulator/index.ts';
import { podsOfJob } from '../kit/stuck-jobs.ts';
import { quits, stuckPod } from '../kit/stuck-pods.ts';
import { subsetsOf } from './accounts.ts';
import { playEach } from './every-request.ts';
import { type Account, FaultyCluster, type Played, survive, type Trouble } from './faulty-cluster.ts';

const cluster = FaultyCluster.startedOnce();

/** So many that a list is worth its while. */
const size = 10;
const indexes = [...Array(size).keys()];

/** What every one of these accounts may do, anywhere: of pods whose end with 0 is known, nothing depends on what their Job would do. */
const needed = ['list pods', 'get pods', 'get pods/portforward', 'create pods/portforward'];

let accounts = 0;
/** An account that may do this and no more. */
function accountWith(emulator: Emulator, verbs: readonly string[]): Account {
  const rules = verbs.map((one) => {
    const [verb = '', resource = ''] = one.split(' ');
    return { apiGroups: [resource === 'jobs' ? 'batch' : ''], resources: [resource], verbs: [verb] };
  });
  const name = `facts-${accounts++}`;
  const token = emulator.serviceAccount({ namespace: 'sweeper', name, rules });
  return { tokens: [token], kubeconfig: emulator.kubeconfig({ name, token }) };
}

function refusedTo({ requests }: Played): readonly string[] {
  return requests.filter(({ status }) => status === 403).map(({ verb, resource }) => `${verb} ${resource}`);
}

describe('A4: every subset of what an account may ask besides pods', () => {
  it('of Jobs and nodes: no pod is lost by it, one warning says it, and a list that is refused is not asked again', async () => {
    const subsets = subsetsOf(['get jobs', 'list jobs', 'get nodes', 'list nodes']);
    const cases = subsets.map((verbs): Trouble => {
      const account = accountWith(cluster.emulator, [...needed, 'get namespaces', ...verbs]);
      return { account, policy: { annotationCommands: 'any' }, pods: ofJobsAndNodes };
    });
    const played = await playEach(cluster, cases);
    const judge = (one: Played, at: number) => {
      const verbs = subsets[at] ?? [];
      const { report, exitCode } = one;
      expect([exitCode, report.totals.pods], verbs.join()).toEqual([0, { Ended: size }]);
      const kinds = report.warnings.map(({ kind }) => kind).filter((kind) => kind.endsWith('Unreadable'));
      expect(new Set(kinds).size, verbs.join()).toBe(kinds.length);
      expect(kinds.includes('JobsUnreadable'), verbs.join()).toBe(!verbs.includes('get jobs'));
      // A page of a list has some of the nodes, and may have all.
      if (verbs.includes('get nodes')) expect(kinds).not.toContain('NodesUnreadable');
      else if (!verbs.includes('list nodes')) expect(kinds).toContain('NodesUnreadable');
      const refused = refusedTo(one);
      for (const list of ['list jobs', 'list nodes']) {
        expect(refused.filter((verb) => verb === list).length, list).toBeLessThanOrEqual(1);
      }
      expect(refused.length, verbs.join()).toBeLessThan(2 * size + 4);
    };
    survive('A4', played, judge, 'permissions');
  });

  it('of namespaces: what cannot be read is left alone, and each is told', async () => {
    const subsets = subsetsOf(['get namespaces', 'list namespaces']);
    const cases = subsets.map((verbs, at): Trouble => {
      const names = indexes.map((index) => `ns-${at}-${index}`);
      return {
        account: accountWith(cluster.emulator, [...needed, ...verbs]),
        flags: { namespaces: names },
        policy: { annotationCommands: 'any' },
        pods: () => names.map((namespace) => stuckPod({ ...quits, namespace, name: 'pod' })),
      };
    });
    const played = await playEach(cluster, cases);
    const judge = ({ report, exitCode }: Played, at: number) => {
      const { pods, unread } = report;
      const verbs = subsets[at] ?? [];
      expect([exitCode, pods.length + unread.length]).toEqual([unread.length === 0 ? 0 : 3, size]);
      if (verbs.includes('get namespaces')) expect(unread).toEqual([]);
      else if (verbs.length === 0) expect(pods).toEqual([]);
    };
    survive('A4', played, judge, 'permissions');
  });
});

function ofJobsAndNodes(namespace: string, emulator: Emulator) {
  return indexes.flatMap((index) => {
    const node = `${namespace}-${index}`;
    addNode(emulator, node);
    const pod = { ...quits, name: `pod-${index}`, node };
    return podsOfJob(emulator.world, { namespace, name: `job-${index}`, pod });
  });
}
