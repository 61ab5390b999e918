import { describe, expect, it } from 'vitest';
import type { Notebook } from '../../../src/model/ports.ts';
import type { PolicyFlags } from '../../../src/policy/policy.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { fileOf } from '../../builders/policy.ts';
import {
  BEHAVIOUR_ANNOTATION,
  ensureNamespace,
  type JobManifest,
  type LightBehaviour,
  type Pod,
} from '../../kit/emulator/index.ts';
import { notebook } from '../../kit/notebook.ts';
import { loaded, noopImages, pullSecret } from '../../kit/random/noop-images.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { startedOnce } from '../../kit/started.ts';
import {
  type JobSpec,
  promising,
  promisingIn,
  type StuckJob,
  shipperImage,
  stuckJob,
} from '../../kit/stuck-jobs.ts';

const cluster = startedOnce(() => SimulatedCluster.start());

/** Ends with 143, whichever way it is asked. */
const unclean: LightBehaviour = {
  on: { SIGTERM: { exitCode: 143, after: 50 }, SIGINT: { exitCode: 143, after: 50 } },
};

/** Creates Jobs in a namespace of their own; after ten seconds, their pods are stuck. */
async function stick(namespace: string, ...jobs: readonly JobManifest[]): Promise<void> {
  const { emulator, simulation } = cluster;
  ensureNamespace(emulator.world, namespace);
  for (const job of jobs) emulator.world.createJob(job);
  await simulation.run(simulation.pass(10_000));
}

function job(namespace: string, spec: JobSpec, more: Partial<StuckJob> = {}): JobManifest {
  return stuckJob({ namespace, sidecar: unclean, image: shipperImage, grace: 30, spec, ...more });
}

/** So many of them, which run again. */
function jobs(count: number, namespace: string, sidecar = unclean): readonly JobManifest[] {
  return Array.from({ length: count }, (_, index) =>
    job(namespace, { backoffLimit: 6 }, { name: `work-${index}`, sidecar }),
  );
}

/** By default, its profile promises an exit code that the sidecar does not keep, so that the step is sent. */
async function sweep(
  namespace: string,
  { notes, ...flags }: Partial<PolicyFlags> & { notes?: Notebook } = {},
  file = Object.keys(flags).length === 0 ? promising : undefined,
): Promise<SweepReport> {
  const { simulation } = cluster;
  const report = await cluster.sweepIn(namespace, { minAge: 0, ...flags }, file, { notebook: notes });
  await simulation.run(simulation.pass(60_000));
  return report;
}

const podsIn = (namespace: string) => cluster.emulator.world.store.list<Pod>('pods', namespace);
const execsIn = (namespace: string) =>
  cluster.emulator.requests.filter((one) => one.namespace === namespace && one.subresource === 'exec').length;

function told(report: SweepReport) {
  const [pod] = report.pods;
  return {
    outcome: pod?.outcome,
    harm: pod?.harm,
    total: report.totals.harm,
    warned: report.warnings.flatMap((one) => (one.kind === 'JobHarmed' ? [one.harm] : [])),
    exitCode: exitCodeOf(report),
  };
}

const failed = { kind: 'Failed', reason: 'BackoffLimitExceeded' };
const unharmed = { harm: undefined, total: {}, warned: [] };

const failIndex: Partial<JobSpec> = {
  completionMode: 'Indexed',
  completions: 2,
  parallelism: 1,
  backoffLimitPerIndex: 3,
  podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [143] } }] },
};
const onFailure = { restartPolicy: 'OnFailure' } as const;
const ended = (job: object) => ({ kind: 'Ended', phase: 'Failed', job });

/** Of a sidecar that ends with 143: by default its profile promises another code, so that the harm is not permitted. */
// biome-ignore format: one row a line
const harms: readonly (readonly [what: string, spec: JobSpec, more: Partial<StuckJob>, kind: string, outcome: object])[] = [
  ['a Job without retries fails', { backoffLimit: 0 }, {}, 'JobFailed', ended(failed)],
  ['a Job with retries runs again', { backoffLimit: 6 }, {}, 'RunsAgain', ended({ kind: 'RunsAgain' })],
  ['an index fails', failIndex, {}, 'IndexFailed', ended({ kind: 'IndexFailed' })],
  ['a Job under OnFailure fails, which deletes the pod', { backoffLimit: 0 }, onFailure, 'JobFailed', { kind: 'Gone', job: failed }],
];

describe('a sweep that ends a sidecar with 143', () => {
  it.each(harms)('harms, and exits with 7: %s', async (what, spec, more, kind, outcome) => {
    const namespace = what.toLowerCase().replace(/\W+/g, '-').slice(0, 60);
    await stick(namespace, job(namespace, spec, more));
    const harm = { kind, permitted: false };
    expect(told(await sweep(namespace))).toEqual({
      outcome,
      harm,
      total: { [kind]: 1 },
      warned: [kind],
      exitCode: 7,
    });
  });

  it('was permitted to do so under allow', async () => {
    await stick('allowed', job('allowed', { backoffLimit: 0 }));
    const harm = { kind: 'JobFailed', permitted: true };
    expect(told(await sweep('allowed', { uncleanExit: 'allow' }))).toMatchObject({
      outcome: ended(failed),
      harm,
      exitCode: 0,
    });
  });
});

describe('not an act of the sweep', () => {
  it('is a pod that is gone with its Job when it has succeeded', async () => {
    const sidecar = { on: { SIGTERM: { exitCode: 0, after: 50 } } };
    await stick('vanished', job('vanished', { ttlSecondsAfterFinished: 0 }, { sidecar }));
    const report = await sweep('vanished');
    const { outcome, ...rest } = told(report);
    expect(rest).toEqual({ ...unharmed, exitCode: 0 });
    expect(outcome).toEqual({ kind: 'Gone', job: { kind: 'Gone' } });
    // How its sidecar ended was seen before.
    expect(report.totals.sidecars).toEqual({ Stopped: 1 });
  });

  it('is an eviction by another client that fails the Job', async () => {
    const sidecar = { on: { SIGTERM: { exitCode: 143, after: 8_000 } } };
    await stick('drained', job('drained', { backoffLimit: 0 }, { sidecar }));
    const [pod] = podsIn('drained');
    const drain = () => void cluster.emulator.world.preemptPod('drained', pod?.metadata.name ?? '');
    const run = () => void cluster.simulation.clock.after(1_000, drain);
    const match = { namespace: 'drained', subresource: 'exec' };
    cluster.emulator.faults.add(match, { kind: 'Before', run }, { times: 1 });
    const { outcome, ...rest } = told(await sweep('drained'));
    expect(rest).toEqual({ ...unharmed, exitCode: 0 });
    expect(outcome).toMatchObject({ job: failed });
  });
});

describe('a profile that promises an exit code which the sidecar does not keep', () => {
  it('makes Jobs run again once, and in no later sweep', async () => {
    await stick('once', ...jobs(12, 'once'));
    const notes = notebook();
    const first = await sweep('once', { notes });
    expect(exitCodeOf(first)).toBe(7);
    // The first one shows it, and all others stay as they are.
    expect(first.totals.harm).toEqual({ RunsAgain: 1 });
    const sent = execsIn('once');
    const second = await sweep('once', { notes });
    expect(second.pods).toHaveLength(12);
    const blocked = {
      kind: 'Blocked',
      reason: expect.stringMatching(/^(PromiseBroken|EndedUncleanBefore)$/),
    };
    for (const { outcome } of second.pods) expect(outcome).toEqual(blocked);
    expect(second.totals.harm).toEqual({});
    expect(exitCodeOf(second)).toBe(4);
    expect(execsIn('once')).toBe(sent);
  });

  it('makes a Job run again rather than fail another one, of which less must be read', async () => {
    const lost = job('least', { backoffLimit: 0 }, { ...onFailure, name: 'lost' });
    await stick('least', lost, ...jobs(3, 'least'));
    expect((await sweep('least')).totals.harm).toEqual({ RunsAgain: 1 });
  });

  it('makes one Job run again as well if the owner of each promises it', async () => {
    const annotations = { 'sidecar-sweeper.dev/exits-with-zero': 'sidecar' };
    const owned = [1, 2, 3, 4].map((n) =>
      job('owned', { backoffLimit: 6 }, { name: `owned-${n}`, annotations }),
    );
    await stick('owned', ...owned);
    const { pods, totals } = await sweep('owned', { uncleanExit: 'forbid' });
    expect(totals.harm).toEqual({ RunsAgain: 1 });
    const left = pods.filter(({ harm }) => !harm).map(({ outcome }) => outcome);
    expect(left).toEqual(Array(3).fill({ kind: 'Blocked', reason: 'PromiseBroken' }));
  });

  it('is noticed and told also where a sidecar ends after the time of the step', async () => {
    const file = promisingIn([{ signal: ['TERM'], exitCode: 0, grace: '3s' }]);
    const sidecar: LightBehaviour = { on: { SIGTERM: { exitCode: 143, after: 4_000 } } };
    await stick('slow', ...jobs(30, 'slow', sidecar));
    const { totals } = await sweep('slow', {}, file);
    const failed = podsIn('slow').filter(({ status }) => status.phase === 'Failed');
    // The second one goes when the first has not ended in its time.
    expect(failed).toHaveLength(2);
    expect(totals.harm).toEqual({ RunsAgain: 2 });
  });

  it('makes Jobs run again once, also where a namespace of the sweep cannot be listed', async () => {
    await stick('beside-shut', ...jobs(8, 'beside-shut'));
    const shut = { namespace: 'shut', resource: 'pods' };
    cluster.emulator.faults.add(shut, { kind: 'Answer', status: 403 });
    const report = await sweep('shut', { namespaces: ['shut', 'beside-shut'] }, promising);
    expect(report.unread).toMatchObject([{ namespace: 'shut' }]);
    expect(report.pods).toHaveLength(8);
    expect(report.totals.harm).toEqual({ RunsAgain: 1 });
  });

  it('makes a Job run again once that counts no such failure, also without notes', async () => {
    const podFailurePolicy = {
      rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [143] } }],
    } as const;
    await stick('ignored', job('ignored', { backoffLimit: 6, podFailurePolicy }));
    expect((await sweep('ignored')).totals.harm).toEqual({ RunsAgain: 1 });
    const [pod] = (await sweep('ignored')).pods;
    expect(pod?.outcome).toEqual({ kind: 'Blocked', reason: 'EndedUncleanBefore' });
  });

  it('does not use up the retries of a Job, restart after restart', async () => {
    await stick('restarts', job('restarts', { backoffLimit: 3 }, onFailure));
    const notes = notebook();
    const [first] = (await sweep('restarts', { notes })).pods;
    expect(first?.containers).toContainEqual(
      expect.objectContaining({ outcome: expect.objectContaining({ kind: 'Restarted' }) }),
    );
    for (let again = 0; again < 3; again++) {
      const [pod] = (await sweep('restarts', { notes })).pods;
      expect(pod?.outcome).toEqual({ kind: 'Blocked', reason: 'EndedUncleanBefore' });
    }
  });
});

describe('a no-op image that cannot be pulled', () => {
  const absent = fileOf({ imageSwap: { ...noopImages.Missing, commands: 'shipped' } });

  it.each([
    ['is tried', 'misspelt', absent],
    ['and whose programs are unknown is tried', 'unknown', fileOf({ imageSwap: noopImages.Missing })],
  ])('%s in one pod under allow as well', async (_title, namespace, file) => {
    await stick(namespace, ...jobs(6, namespace));
    await sweep(namespace, { uncleanExit: 'allow' }, file);
    const images = podsIn(namespace).flatMap(({ spec }) => spec.containers.map(({ image }) => image));
    expect(images.filter((image) => image === noopImages.Missing.image)).toHaveLength(1);
  });

  it('costs one pod its work, whose sidecar the kubelet has ended and does not start again', async () => {
    await stick('absent', ...jobs(6, 'absent'));
    const notes = notebook();
    const report = await sweep('absent', { notes }, absent);
    expect(report.totals.harm).toEqual({ RunsAgain: 1 });
    expect(exitCodeOf(report)).toBe(7);
    const harmed = report.pods.filter(({ harm }) => harm);
    expect(harmed).toMatchObject([
      { outcome: { phase: 'Failed' }, containers: [{}, { outcome: { kind: 'Stopped', exitCode: 143 } }] },
    ]);
    const blocked = { kind: 'Blocked', reason: 'NoopDoesNotStart' };
    for (const { outcome, harm } of report.pods) if (!harm) expect(outcome).toEqual(blocked);

    const later = await sweep('absent', { notes }, absent);
    expect(later.pods).toHaveLength(6);
    for (const { outcome } of later.pods) expect(outcome).toEqual(blocked);
    // Without notes, at least no Job is harmed twice.
    const unknowing = await sweep('absent', {}, absent);
    const [again] = unknowing.pods.filter(({ harm }) => harm);
    expect(unknowing.totals.harm).toEqual({ RunsAgain: 1 });
    expect(again?.owner?.name).not.toBe(harmed[0]?.owner?.name);
  });
});

describe('a no-op image that the nodes have, but no registry', () => {
  const [named] = loaded;
  const pulling = (namespace: string) =>
    Array.from({ length: 8 }, (_, index) =>
      job(
        namespace,
        { backoffLimit: 6 },
        { name: `pulling-${index}`, container: { imagePullPolicy: 'Always' } },
      ),
    );
  const swapTo = (image: string) => fileOf({ imageSwap: { image } });

  it('costs one of the pods that pull it in any case, however many others had it', async () => {
    await stick('loaded', ...jobs(8, 'loaded'), ...pulling('loaded'));
    const { totals } = await sweep('loaded', {}, swapTo(named));
    expect(totals.harm).toEqual({ RunsAgain: 1 });
    expect(totals.pods).toEqual({ Ended: 9, Blocked: 7 });
  });
});

/** A Job whose log shipper is killed while its main is at work; its proxy would end with 0. */
const withCrashedShipper = (namespace: string) =>
  withShipper(namespace, { ends: { exitCode: 137, after: 10 } });

/** A Job with a log shipper, and a proxy that ends with 0. */
function withShipper(namespace: string, shipper: LightBehaviour): JobManifest {
  const made = stuckJob({ namespace, sidecar: {}, spec: { backoffLimit: 0 } });
  const { metadata, spec } = made.spec.template;
  const behaviours = {
    main: { ends: { exitCode: 0, after: 200 } },
    shipper,
    sidecar: { on: { SIGTERM: { exitCode: 0, after: 50 } } },
  };
  const annotations = {
    [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
    'sidecar-sweeper.dev/sidecars': 'sidecar,shipper',
  };
  const containers = [...spec.containers, { name: 'shipper', image: 'docker.io/acme/shipper:1' }];
  const template = { metadata: { ...metadata, annotations }, spec: { ...spec, containers } };
  return { ...made, spec: { ...made.spec, template } };
}

it('an ephemeral container that ends one sidecar with 0 is not added for another', async () => {
  const namespace = 'beside-one';
  await stick(namespace, withShipper(namespace, {}));
  const kill = { image: 'docker.io/local/busybox:1', command: ['/bin/sh', '-c', 'kill -15 1'] };
  const steps = [{ ephemeralContainer: kill, exitCode: 0 }];
  const file = fileOf({ profiles: [{ name: 'proxy', containers: ['sidecar'], images: ['*'], steps }] });
  const report = await sweep(namespace, {}, file);
  expect(report.totals.harm).toEqual({});
  expect(report.pods).toMatchObject([{ outcome: { kind: 'Stuck' } }]);
  const [pod] = podsIn(namespace);
  expect(pod?.spec['ephemeralContainers']).toEqual([
    expect.objectContaining({ targetContainerName: 'sidecar' }),
  ]);
});

const swapping = fileOf({ imageSwap: { ...noopImages.HasAll, commands: 'shipped' } });

it('a no-op image of a private registry costs one of the pods without a secret for it, however many others have one', async () => {
  const withSecret = Array.from({ length: 8 }, (_, index) => {
    const manifest = job('private', { backoffLimit: 6 }, { name: `knowing-${index}` });
    const { template } = manifest.spec;
    const spec = { ...template.spec, imagePullSecrets: [{ name: pullSecret }] };
    return { ...manifest, spec: { ...manifest.spec, template: { ...template, spec } } };
  });
  await stick('private', ...withSecret, ...jobs(8, 'private'));
  const file = fileOf({ imageSwap: { ...noopImages.Private, commands: 'shipped' } });
  const { totals } = await sweep('private', {}, file);
  expect(totals.harm).toEqual({ RunsAgain: 1 });
  expect(totals.pods).toEqual({ Ended: 9, Blocked: 7 });
});

it('a pod with a crashed sidecar, which fails as soon as it ends, is blocked, and not swapped', async () => {
  const namespace = 'is-not-swapped';
  await stick(namespace, withCrashedShipper(namespace));
  const report = await sweep(namespace, { uncleanExit: 'forbid' }, swapping);
  expect(report.pods).toMatchObject([
    { outcome: { kind: 'Blocked', reason: 'AlreadyUnclean' }, prediction: { phase: 'Running' } },
  ]);
  expect(exitCodeOf(report)).toBe(4);
  const [blocked] = cluster.emulator.world.store.list('jobs', namespace);
  expect(blocked?.['status']).toMatchObject({ active: 1 });
  expect(podsIn(namespace)).toHaveLength(1);
});

it('swaps under allow do not fail a Job whose pods could end one after the other', async () => {
  await stick('staged', job('staged', { backoffLimit: 3, completions: 12, parallelism: 12 }, onFailure));
  const { totals } = await sweep('staged', { uncleanExit: 'allow' }, swapping);
  expect([totals.pods, totals.harm]).toEqual([{ Ended: 12 }, {}]);
});
