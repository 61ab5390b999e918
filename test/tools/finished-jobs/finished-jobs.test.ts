import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  methodsTried,
  ProcessCluster,
  podReport,
  sidecarReport,
} from '../../cluster/methods/process-cluster.ts';
import {
  ensureObject,
  type KubeconfigUser,
  processesAvailable,
  type RequestRecord,
  sharedPidNamespaceAvailable,
  standInImages,
} from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { eventually } from '../../kit/replay/stage.ts';
import { startedOnce } from '../../kit/started.ts';
import { cannotRender, containerIn, render } from '../manifests/render.ts';
import { conditionOf, finishedJobs, manifestOf, nameIn } from './jobs.ts';

/** The sweeps, by their names in README. Each has the 24 Jobs for itself. */
const sweeps = {
  swap: '`sidecar-sweeper sweep --noop-image IMAGE`',
  overlay: 'the same with the account of `manifests/overlays/swap`: no exec, no port-forward',
  alone: '`sidecar-sweeper sweep`, by exec and port-forward alone',
  annotated: 'the same, with `sidecar-sweeper.dev/exits-with-zero` on those that do',
  allow: 'the same with `--unclean-exit=allow`',
} as const;
type SweepName = keyof typeof sweeps;
const names = Object.keys(sweeps) as SweepName[];

const flagsOf: Readonly<Record<Exclude<SweepName, 'overlay'>, readonly string[]>> = {
  swap: ['--noop-image', 'registry.example.com/sidecar-sweeper-noop:0.1.0'],
  alone: [],
  annotated: [],
  allow: ['--unclean-exit=allow'],
};

const why = processesAvailable() ?? sharedPidNamespaceAvailable() ?? cannotRender;

describeUnless(why, 'of the same 24 finished Jobs', () => {
  const cluster = startedOnce(() => ProcessCluster.start(standInImages));
  const requests = new Map<SweepName, readonly RequestRecord[]>();

  beforeAll(async () => {
    const overlay = await installOverlay();
    for (const sweep of names) {
      for (const job of finishedJobs) cluster.createJobFrom(manifestOf(job, sweep));
    }
    await cluster.untilStuck();
    for (const sweep of names) {
      const before = cluster.emulator.requests.length;
      const options = sweep === 'overlay' ? overlay : { flags: flagsOf[sweep] };
      await cluster.sweep(sweep, options);
      requests.set(sweep, cluster.emulator.requests.slice(before));
    }
  });

  /** Installs all of the overlay but its CronJob, whose account and flags the sweep gets. */
  async function installOverlay(): Promise<{ user: KubeconfigUser; flags: readonly string[] }> {
    const objects = await render('overlays/swap');
    for (const object of objects) {
      if (object.kind !== 'CronJob') ensureObject(cluster.emulator.world, object);
    }
    const { args, env } = containerIn(objects);
    // As the kubelet does.
    const valueIn = (_variable: string, name: string) =>
      env.find((one: { readonly name: string }) => one.name === name).value;
    const flags = args
      .filter((arg: string) => arg.startsWith('--noop-'))
      .map((arg: string) => arg.replace(/\$\((\w+)\)/g, valueIn));
    const name = 'sidecar-sweeper';
    return { user: { name, token: cluster.emulator.serviceAccount({ namespace: name, name }) }, flags };
  }

  const requestsOf = (sweep: SweepName, subresource: string) =>
    (requests.get(sweep) ?? []).filter((request) => request.subresource === subresource);

  it.each(names)('the cluster shows what README says of %s', async (sweep) => {
    // The Job controller may count the last pod shortly after the report.
    const row = () => `| ${[sweeps[sweep], ...Object.values(endsOf(cluster, sweep))].join(' | ')} |`;
    const told = rowsOfReadme().find((line) => line.startsWith(`| ${sweeps[sweep]} |`));
    expect(await eventually(row, (now) => now === told)).toBe(told);
  });

  describe.each(['swap', 'overlay'] as const)('with the swap permitted (%s)', (sweep) => {
    it('all are complete, none ran again, and the exit code is 0', () => {
      expect(endsOf(cluster, sweep)).toEqual({ complete: 24, again: 0, failed: 0, restarted: 0, stuck: 0 });
      expect(cluster.swept(sweep).run.exitCode).toBe(0);
    });

    it('no command ran in a container, and only swaps and quit endpoints ended anything', () => {
      expect(requestsOf(sweep, 'exec')).toEqual([]);
      const methods = finishedJobs.flatMap(({ name }) =>
        methodsTried(sidecarReport(cluster.swept(sweep), nameIn(sweep, name))),
      );
      expect(new Set(methods)).toEqual(new Set(sweep === 'swap' ? ['Http', 'ImageSwap'] : ['ImageSwap']));
    });
  });

  it('the account of the overlay was refused nothing, and reached nothing inside the pods', () => {
    expect((requests.get('overlay') ?? []).filter(({ status }) => status === 403 || status === 422)).toEqual(
      [],
    );
    expect(requestsOf('overlay', 'portforward')).toEqual([]);
  });

  it('under --unclean-exit=allow, at least 11 are complete', () => {
    const { complete, failed } = endsOf(cluster, 'allow');
    expect(complete).toBeGreaterThanOrEqual(11);
    expect(failed).toBe(0);
  });

  it('by exec and port-forward alone, at least 9 are complete, and none ran again', () => {
    const { complete, again, failed, restarted } = endsOf(cluster, 'alone');
    expect(complete).toBeGreaterThanOrEqual(9);
    expect({ again, failed, restarted }).toEqual({ again: 0, failed: 0, restarted: 0 });
  });

  it('with the annotation on those that end with 0, these 13 are complete, and none ran again', () => {
    const complete = finishedJobs.filter(
      ({ name }) => endOf(cluster, nameIn('annotated', name)) === 'complete',
    );
    expect(complete.map(({ name }) => name)).toEqual([
      ...['exits-0', 'onfailure-0', 'non-root', 'shared-pid'],
      ...['istio', 'istio-port', 'istio-envoy', 'linkerd', 'consul', 'consul-k8s', 'envoy'],
      ...['cloud-sql', 'cloud-sql-port'],
    ]);
    expect(endsOf(cluster, 'annotated')).toMatchObject({ again: 0, failed: 0, restarted: 0 });
  });

  it.each(['alone', 'annotated', 'allow'] as const)('what is left has a reason and advice (%s)', (sweep) => {
    const { run } = cluster.swept(sweep);
    expect(run.exitCode).toBe(4);
    const left = finishedJobs
      .map(({ name }) => nameIn(sweep, name))
      .filter((name) => /^(?:stuck|restarted)$/.test(endOf(cluster, name)));
    expect(left).not.toEqual([]);
    for (const name of left) {
      expect(podReport(cluster.swept(sweep), name).outcome.kind).toMatch(/^(?:Stuck|Blocked)$/);
      const { outcome, advice } = sidecarReport(cluster.swept(sweep), name);
      expect(outcome.kind).toMatch(/^(?:StillRunning|Restarted)$/);
      expect(advice, name).toMatch(/--noop-image/);
    }
  });
});

/** What may become of a Job, in the order of README's columns. */
const kinds = ['complete', 'again', 'failed', 'restarted', 'stuck'] as const;
type Ends = Readonly<Record<(typeof kinds)[number], number>>;

/** What became of the Jobs of a sweep, as the cluster shows it. */
function endsOf(cluster: ProcessCluster, sweep: SweepName): Ends {
  const ends = finishedJobs.map(({ name }) => endOf(cluster, nameIn(sweep, name)));
  const counts = kinds.map((kind) => [kind, ends.filter((end) => end === kind).length]);
  return Object.fromEntries(counts) as Ends;
}

function endOf(cluster: ProcessCluster, name: string): keyof Ends {
  if (cluster.podsOf(name).length > 1) return 'again';
  const condition = conditionOf(cluster.job(name));
  if (condition !== 'Active') return condition === 'Complete' ? 'complete' : 'failed';
  const restarts = cluster
    .podOf(name)
    ?.status.containerStatuses?.some(({ restartCount }) => restartCount > 0);
  return restarts ? 'restarted' : 'stuck';
}

function rowsOfReadme(): readonly string[] {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  return readme.split('\n').map((line) => line.replaceAll('**', ''));
}
