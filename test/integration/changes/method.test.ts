import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRbac } from '../../../src/methods/permissions.ts';
import type { AccessReport } from '../../../src/report/access/access.ts';
import type { ProfileList } from '../../../src/report/profiles/profiles.ts';
import type { ContainerReport, SweepReport } from '../../../src/report/schema.ts';
import type { CliRun } from '../../kit/cli.ts';
import type { KubeconfigUser, Placement } from '../../kit/emulator/index.ts';
import { podOutcome, sidecarOutcome, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { pause } from './fixtures/pause.ts';
import { SourceCopy } from './source-copy.ts';

const head = 'apiVersion: sidecar-sweeper.dev/v1\nkind: SweepPolicy\n';
/** A policy whose last line is the step. */
const policyWith = (step: string) =>
  `${head}profiles:\n  - name: proxy\n    containers: [sidecar]\n    images: [local/busybox]\n    steps:\n      - ${step}\n`;
const step = 'pause: { signal: USR1 }';
const needed = describeRbac(pause.rbac);

/** The sidecar ends on USR1 and catches nothing else, so that no other step has an effect. */
const sidecar = { on: { SIGUSR1: { exitCode: 0, after: 50 } } };

/** A pod that its Job finds in place, so that it makes no other. */
function ownedByJob({ manifest, ...placement }: Placement, { world }: TestCluster['emulator']): Placement {
  const { spec } = manifest;
  const { uid } = world.createJob({
    metadata: { namespace: 'demo', name: 'work' },
    spec: { template: { spec } },
  }).metadata;
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid, controller: true };
  const metadata = { ...manifest.metadata, ownerReferences: [owner] };
  return { ...placement, manifest: { ...manifest, metadata } };
}

type SidecarReport = Extract<ContainerReport, { readonly role: 'Sidecar' }>;

function sidecarOf(report: SweepReport, pod: string): SidecarReport {
  const containers = report.pods.find(({ name }) => name === pod)?.containers ?? [];
  const [found] = containers.flatMap((each) => (each.role === 'Sidecar' ? [each] : []));
  if (!found) expect.fail(`no sidecar of ${pod}`);
  return found;
}

function acceptsStep(schema: object, written: unknown): boolean {
  const steps = [written];
  const profiles = [{ name: 'proxy', containers: ['sidecar'], images: ['local/busybox'], steps }];
  const policy = { apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', profiles };
  // Zod's own format stands beside a pattern that says the same.
  return new Ajv2020({ formats: { starts_with: true } }).compile(schema)(policy);
}

let copy: SourceCopy;
let cluster: TestCluster;

beforeAll(async () => {
  copy = new SourceCopy();
  cluster = await TestCluster.start([stuckPod({ name: 'stuck', sidecar })]);
  const { emulator } = cluster;
  emulator.world.placePods([ownedByJob(stuckPod({ name: 'owned', sidecar }), emulator)]);
});
afterAll(async () => {
  await cluster.stop();
  await copy.remove();
});

describe('a step of a method that does not exist', () => {
  it('is refused by the schema', () => {
    const file = new URL('../../../docs/sweep-policy.schema.json', import.meta.url);
    const schema = JSON.parse(readFileSync(file, 'utf8'));
    expect(acceptsStep(schema, { signal: ['USR1'] })).toBe(true);
    expect(acceptsStep(schema, { pause: true })).toBe(false);
    expect(acceptsStep(schema, { pause: { signal: 'USR1' } })).toBe(false);
  });

  it('is refused in a policy, and the cluster is not asked', async () => {
    copy.write('policy.yaml', policyWith('pause: true'));
    expect((await copy.build()).stderr).toBe('');
    const run = await copy.run(['--policy', 'policy.yaml', '--kubeconfig', await cluster.kubeconfig()]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('policy.yaml:8: profiles.0.steps.0: unknown field: pause');
    expect(cluster.emulator.requests).toEqual([]);
  });

  it('is refused in an annotation, and nothing is planned', async () => {
    const key = 'sidecar-sweeper.dev/steps-sidecar';
    const asks = stuckPod({ name: 'asks', namespace: 'asks', annotations: { [key]: '[{"pause":true}]' } });
    cluster.emulator.world.placePods([asks]);
    const argv = ['-n', 'asks', '--dry-run', '-o', 'json', '--kubeconfig', await cluster.kubeconfig()];
    const report: SweepReport = JSON.parse((await copy.run(argv)).stdout);
    expect(sidecarOf(report, 'asks')).toMatchObject({
      steps: [],
      outcome: { kind: 'Skipped', reason: { kind: 'BadKillCommand', key } },
    });
  });
});

describe('a method that is one file and one entry', () => {
  /** Runs the command with that method, with a policy that has a step of it. */
  async function run(argv: readonly string[], user?: KubeconfigUser): Promise<CliRun> {
    const kubeconfig = await cluster.kubeconfig(user);
    return copy.run([...argv, '--policy', 'policy.yaml', '--kubeconfig', kubeconfig, '-n', 'demo']);
  }

  async function sweep(argv: readonly string[], user?: KubeconfigUser): Promise<SweepReport> {
    return JSON.parse((await run([...argv, '--no-lock', '-o', 'json'], user)).stdout);
  }

  /** An account with every permission that a sweep needs, but not the one that only this method needs. */
  function withoutPermission(): KubeconfigUser {
    const name = 'without';
    const rules = [
      { apiGroups: [''], resources: ['pods', 'namespaces'], verbs: ['get', 'list'] },
      { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
      { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods/exec', 'pods/portforward'], verbs: ['get', 'create'] },
    ];
    return { name, token: cluster.emulator.serviceAccount({ namespace: 'demo', name, rules }) };
  }
  let without: KubeconfigUser;

  beforeAll(async () => {
    const fixture = readFileSync(new URL('fixtures/pause.ts', import.meta.url), 'utf8');
    copy.write('src/methods/pause.ts', fixture.replaceAll("'../../../../src/methods/", "'./"));
    const own = "import { own } from './own.ts';\n";
    copy.replace('src/methods/index.ts', own, `${own}import { pause } from './pause.ts';\n`);
    copy.replace('src/methods/index.ts', '\n] as const;', '\n  pause,\n] as const;');
    copy.write('policy.yaml', policyWith(step));
    await copy.build();
    without = withoutPermission();
  });

  it('changes nothing else', () => {
    expect(copy.changed()).toEqual(['methods/index.ts', 'methods/pause.ts']);
    const index = readFileSync(new URL('../../../src/methods/index.ts', import.meta.url), 'utf8');
    const added = copy
      .read('src/methods/index.ts')
      .split('\n')
      .filter((line) => !index.split('\n').includes(line));
    expect(added).toEqual(["import { pause } from './pause.ts';", '  pause,']);
  });

  it('compiles', async () => {
    expect(await copy.typeCheck()).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('is parsed: a policy may have it, and a misspelt field of it is told with its line', async () => {
    expect(await copy.run(['validate', 'policy.yaml'])).toMatchObject({ exitCode: 0, stderr: '' });
    copy.write('wrong.yaml', policyWith('pause: { singal: USR1 }'));
    const { exitCode, stderr } = await copy.run(['validate', 'wrong.yaml']);
    expect(exitCode).toBe(2);
    expect(stderr).toBe('wrong.yaml:8: profiles.0.steps.0.pause: unknown field: singal\n');
  });

  it('is in the JSON Schema of policies', async () => {
    expect(await copy.writeSchemas()).toMatchObject({ exitCode: 0, stderr: '' });
    const schema = JSON.parse(copy.read('docs/sweep-policy.schema.json'));
    expect(acceptsStep(schema, { pause: { signal: 'USR1' } })).toBe(true);
    expect(acceptsStep(schema, { pause: { singal: 'USR1' } })).toBe(false);
  });

  it('is described', async () => {
    const argv = ['profiles', '--policy', 'policy.yaml', '-o'];
    const list: ProfileList = JSON.parse((await copy.run([...argv, 'json'])).stdout);
    expect(list.profiles[0]?.steps).toEqual([{ method: 'Pause', does: 'pause by USR1' }]);
    expect((await copy.run([...argv, 'table'])).stdout).toMatch(
      /^ {2}1\. +pause by USR1 +exit code unknown$/m,
    );
  });

  it('is planned, with what the guard says of it', async () => {
    const report = await sweep(['--dry-run']);
    const planned = { method: 'Pause', does: 'pause by USR1', source: { kind: 'Profile', profile: 'proxy' } };
    expect(sidecarOf(report, 'stuck').steps[0]).toMatchObject({ ...planned, clearance: 'Free' });
    expect(sidecarOf(report, 'owned').steps[0]).toMatchObject({ ...planned, clearance: 'Canary' });
  });

  it('is asked for by check-access', async () => {
    const checked = await run(['check-access', '--no-lock', '-o', 'json'], without);
    const { permissions, rulesToAdd }: AccessReport = JSON.parse(checked.stdout);
    const missing = permissions.filter(({ allowed, optional }) => allowed !== 'Yes' && !optional);
    expect(missing).toMatchObject([
      { verb: 'create', group: 'proxy.example', resource: 'pauses', for: 'pause', allowed: 'No' },
    ]);
    expect(rulesToAdd).toEqual([{ namespace: 'demo', rules: [pause.rbac[1]] }]);
    expect(checked.exitCode).toBe(4);
  });

  it('is left out without its permission, and what it needs is told', async () => {
    const report = await sweep([], without);
    expect(needed).toBe('get, create on pods/exec; create on pauses');
    expect(report.warnings).toContainEqual({
      kind: 'NoPermission',
      method: 'Pause',
      namespace: 'demo',
      needs: needed,
    });
    for (const pod of ['stuck', 'owned']) {
      const { steps, attempts, unfit } = sidecarOf(report, pod);
      expect([...steps, ...attempts].map(({ method }) => method)).not.toContain('Pause');
      expect(unfit).toContainEqual({
        method: 'Pause',
        reason: 'NoPermission',
        detail: needed,
        does: 'pause by USR1',
      });
      expect(podOutcome(report, pod)).toMatchObject({ kind: 'Stuck' });
    }
  });

  it('is sent and reported, and the cluster proves what came of it', async () => {
    const report = await sweep([]);
    for (const pod of ['stuck', 'owned']) {
      expect(sidecarOf(report, pod).attempts).toMatchObject([
        { method: 'Pause', does: 'pause by USR1', result: { kind: 'Accepted' } },
      ]);
      expect(sidecarOutcome(report, pod)).toEqual({ kind: 'Stopped', exitCode: 0 });
      expect(podOutcome(report, pod)).toMatchObject({ kind: 'Ended', phase: 'Succeeded' });
      expect(cluster.emulator.world.store.get('pods', 'demo', pod)).toMatchObject({
        status: { phase: 'Succeeded' },
      });
    }
    expect(report.warnings).toEqual([]);
  });
});
