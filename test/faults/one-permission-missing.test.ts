import { describe, expect, it } from 'vitest';
import type { SweepReport } from '../../src/report/schema.ts';
import { policyFlag } from '../kit/cli.ts';
import { type Emulator, ensureNamespace, ensureObject, type RequestRecord } from '../kit/emulator/index.ts';
import { runHere } from '../kit/run-here.ts';
import { podsOfJob } from '../kit/stuck-jobs.ts';
import { sidecars, TestCluster } from '../kit/stuck-pods.ts';
import { subsetsOf } from './accounts.ts';
import { tally } from './tally.ts';

const cluster = TestCluster.startedOnce();

/** What a sweep uses besides reading pods and patching them, by the resource of the rule. */
// biome-ignore format: as many as fit on a line
const verbs = [
  ['coordination.k8s.io', 'leases', 'create'], ['coordination.k8s.io', 'leases', 'get'],
  ['coordination.k8s.io', 'leases', 'update'], ['', 'pods/log', 'get'],
  ['events.k8s.io', 'events', 'create'], ['batch', 'jobs', 'get'], ['batch', 'jobs', 'patch'],
  ['', 'namespaces', 'get'], ['', 'nodes', 'get'],
] as const;

type Verb = (typeof verbs)[number];

let cases = 0;

const everyFeature = policyFlag({
  imageSwap: { image: 'docker.io/local/nop:1', commands: 'shipped' },
  raiseBackoffLimit: true,
  keepLogs: 5,
  events: true,
});

/** Sweeps a Job without restarts left, with every feature, as an account that lacks these. */
async function sweepWithout(missing: readonly Verb[], holder?: string) {
  const { emulator } = cluster;
  const name = `case-${cases++}`;
  const pod = { sidecar: sidecars.immune, restartPolicy: 'OnFailure' as const };
  const token = account(emulator, name, missing);
  if (holder !== undefined) holdLease(emulator, name, holder);
  emulator.world.placePods(podsOfJob(emulator.world, { namespace: name, spec: { backoffLimit: 0 }, pod }));
  const kubeconfig = await cluster.kubeconfig({ name, token });
  const flags = ['-n', name, '--lock', name, '--min-age', '0s', ...everyFeature, '-o', 'json'];
  const { exitCode, stdout, stderr } = await runHere([...flags, '--kubeconfig', kubeconfig], {});
  const report: SweepReport | undefined = stdout === '' ? undefined : JSON.parse(stdout);
  const refused = emulator.requests.filter((one) => one.token === token && one.status === 403);
  return { exitCode, report, said: `${stdout}\n${stderr}`, refused: refused.map(asked) };
}

function holdLease({ world }: Emulator, namespace: string, holderIdentity: string): void {
  ensureNamespace(world, namespace);
  ensureObject(world, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace, name: 'sidecar-sweeper' },
    spec: { holderIdentity, leaseDurationSeconds: 60, renewTime: world.clock.now().toISOString() },
  });
}

function account(emulator: Emulator, name: string, missing: readonly Verb[]): string {
  const granted = verbs.filter((verb) => !missing.includes(verb));
  const rules = [
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'patch'] },
    ...granted.map(([group, resource, verb]) => ({
      apiGroups: [group],
      resources: [resource],
      verbs: [verb],
    })),
  ];
  return emulator.serviceAccount({ namespace: name, name, rules });
}

/** With the object: the lock and the notes are two Leases. */
const asked = ({ verb, resource, subresource, name }: RequestRecord) =>
  `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`} ${name}`;
const words = ([, resource, verb]: Verb) => `${verb} ${resource}`;
const grantOf = (rule: string) => `grant ${rule} with the rule - {apiGroups: `;

/** What is said of each, and what comes of the sweep. A Lease that is not there yet need not be read. */
const expected: Readonly<Record<string, readonly [exitCode: number, pods: object, said: string]>> = {
  'create leases': [0, { Ended: 1 }, grantOf('create on leases; get, update on leases')],
  'get leases': [0, { Ended: 1 }, ''],
  'update leases': [0, { Ended: 1 }, grantOf('create on leases; get, update on leases')],
  'get pods/log': [0, { Ended: 1 }, 'cannot get resource \\"pods/log\\"'],
  'create events': [0, { Ended: 1 }, grantOf('create on events')],
  'get jobs': [4, { Blocked: 1 }, grantOf('get on jobs')],
  'patch jobs': [4, { Blocked: 1 }, '"method": "RaiseBackoffLimit"'],
  'get namespaces': [3, {}, grantOf('get on namespaces')],
  'get nodes': [0, { Ended: 1 }, grantOf('get on nodes')],
};

describe('A4: of what an account may do beside pods', () => {
  it('each verb that it lacks is named with the rule that grants it, and costs no more than it must', async () => {
    const complete = sweepWithout([]);
    const swept = verbs.map(async (verb) => [words(verb), await sweepWithout([verb])] as const);
    for (const [verb, { exitCode, report, said }] of await Promise.all(swept)) {
      const [code, pods, text] = expected[verb] ?? expect.fail(verb);
      expect([exitCode, report?.totals.pods], verb).toEqual([code, pods]);
      expect(said, verb).toContain(text);
      expect(report?.totals.harm, verb).toEqual({});
      tally('permissions', 'A4', 1);
    }
    const { exitCode, report, said } = await complete;
    expect([exitCode, report?.totals.pods]).toEqual([0, { Ended: 1 }]);
    expect(said).not.toContain('with the rule');
  });

  it('any number of those of the Lease, the logs and the Events costs no more than each of them', async () => {
    const unneeded = verbs.filter(([, resource]) => /^(leases|pods\/log|events)$/.test(resource));
    const several = subsetsOf(unneeded).filter(({ length }) => length > 1);
    expect(several.length).toBe(26);
    const swept = several.map(async (missing) => [missing.map(words), await sweepWithout(missing)] as const);
    for (const [missing, { exitCode, report, said, refused }] of await Promise.all(swept)) {
      const at = missing.join(', ');
      expect([exitCode, report?.totals.pods, report?.totals.harm], at).toEqual([0, { Ended: 1 }, {}]);
      for (const verb of missing) expect(said, at).toContain(expected[verb]?.[2] ?? expect.fail(verb));
      const unlocked = report?.warnings.filter(({ kind }) => kind === 'Unlocked').length;
      expect(unlocked, at).toBe(missing.some((verb) => /(create|update) leases/.test(verb)) ? 1 : 0);
      expect(refused, `${at}: asked twice`).toEqual([...new Set(refused)]);
      tally('permissions', 'A4', 1);
    }
  });

  it('whatever it lacks of the Lease, nothing is sent while it can be seen that another sweep holds it', async () => {
    const ofLease = verbs.filter(([, resource]) => resource === 'leases');
    const swept = subsetsOf(ofLease).map(
      async (missing) => [missing.map(words), await sweepWithout(missing, 'laptop_1')] as const,
    );
    for (const [missing, { exitCode, report, said }] of await Promise.all(swept)) {
      const isSeen = !missing.includes('get leases');
      const at = missing.join(', ');
      expect([exitCode, report?.totals.pods], at).toEqual([0, isSeen ? undefined : { Ended: 1 }]);
      expect(said, at).toContain(isSeen ? '"LockOccupied"' : '"Unlocked"');
      tally('permissions', 'A4', 1);
    }
  });
});
