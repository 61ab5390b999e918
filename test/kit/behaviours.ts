import {
  BatchV1Api,
  CoreV1Api,
  KubeConfig,
  type V1Container,
  type V1JobSpec,
  type V1Pod,
} from '@kubernetes/client-node';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { methods } from '../../src/methods/index.ts';
import { type SweepReport, sweepReport } from '../../src/report/schema.ts';
import { sidecarsOf } from '../../src/report/sweep/planned.ts';
import { policyFlag, runCli } from './cli.ts';

export interface Site {
  readonly config: KubeConfig;
  readonly kubeconfig: string;
  readonly images: Images;
}

interface Images {
  readonly shell: string;
  readonly shellLess: string;
  /** Quits on POST /quitquitquit to port 15020 of its loopback. */
  readonly quits: { readonly image: string; readonly command?: string[] };
  /** Exits 0 at once if it is started without a command. */
  readonly noop: string;
}

/** What client-node reads from a kubeconfig. */
export function clientOf(kubeconfig: string, context?: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  if (context !== undefined) config.setCurrentContext(context);
  return config;
}

const allow = { uncleanExit: 'allow' };
const lastResort = (step: object) => ({ ...allow, lastResort: [step] });
const profile = (name: string, step: object) => ({
  profiles: [
    { name, containers: ['sidecar'], images: ['*'], steps: [{ ...step, exitCode: 0, grace: '10s' }] },
  ],
});

/** The policy of each sweep, which covers the pods with its name as a label. */
const sweeps = {
  plain: () => allow,
  http: () => profile('http', { http: { port: 15_020, path: '/quitquitquit' } }),
  swap: ({ noop }) => ({ imageSwap: { image: noop, commands: 'shipped' }, raiseBackoffLimit: true }),
  ephemeral: ({ shell }) => lastResort({ ephemeralContainer: { image: shell } }),
  deadline: () => lastResort({ deadline: true }),
  evict: () => lastResort({ evict: true }),
  delete: () => lastResort({ delete: true }),
} satisfies Record<string, (images: Images) => object>;

interface Behaviour {
  readonly sweep: keyof typeof sweeps;
  readonly sidecar: (images: Images) => Partial<V1Container>;
  readonly main?: string;
  readonly restartPolicy?: 'OnFailure';
  readonly annotations?: Readonly<Record<string, string>>;
  readonly shareProcessNamespace?: true;
  readonly job?: Partial<V1JobSpec>;
  /** What the report says; undefined if the pod is not stuck, so that the report leaves it out. */
  readonly reported?: Reported;
}

interface Reported {
  readonly sidecar: object;
  readonly pod: object;
  readonly methods: readonly string[];
  readonly isRemoved?: true;
}

const sh = (script: string) => ({ command: ['sh', '-c', script] });
const onTerm = (code: number) => () => sh(`trap "exit ${code}" TERM; while :; do sleep 1 & wait; done`);
const shellLess = ({ shellLess: image }: Images) => ({ image });
const complete = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
const runsAgain = { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } };
const stopped = (exitCode: number) => ({ kind: 'Stopped', exitCode });
const clean = (...methods: readonly string[]) => ({ sidecar: stopped(0), pod: complete, methods });
const stuck = (why: object) => ({
  sidecar: { kind: 'StillRunning', ...why },
  pod: { kind: 'Stuck' },
  methods: ['Signal', 'Signal'],
});
// Both containers end with 0, so that the pod succeeds. The finalizer of its Job keeps it for a second or less,
// so the last reading may or may not find it.
const removed = (method: string): Reported => ({
  sidecar: { kind: expect.stringMatching(/^(Stopped|Gone)$/) },
  pod: { kind: expect.stringMatching(/^(Ended|Gone)$/), job: { kind: 'Complete' } },
  methods: ['Signal', 'Signal', method],
  isRemoved: true,
});

/** Jobs with a sidecar, by name, and what a sweep makes of each, on the emulator as on a real cluster. */
// biome-ignore format: one row a line
const behaviours: Readonly<Record<string, Behaviour>> = {
  clean: { sweep: 'plain', sidecar: onTerm(0), reported: clean('Signal') },
  argo: { sweep: 'plain', sidecar: onTerm(0), annotations: { 'workflows.argoproj.io/kill-cmd-sidecar': '["sh", "-c", "kill -%d 1"]' }, reported: clean('Command') },
  unclean: { sweep: 'plain', sidecar: onTerm(143), reported: { sidecar: stopped(143), pod: runsAgain, methods: ['Signal'] } },
  'unclean-onfailure': { sweep: 'plain', sidecar: onTerm(143), restartPolicy: 'OnFailure', reported: { sidecar: { kind: 'Restarted', exitCode: 143, restartCount: 1 }, pod: { kind: 'Stuck' }, methods: ['Signal'] } },
  'main-failed': { sweep: 'plain', sidecar: onTerm(0), main: 'exit 7', reported: { sidecar: stopped(0), pod: runsAgain, methods: ['Signal'] } },
  'no-handler': { sweep: 'plain', sidecar: () => ({ command: ['sleep', '100000'] }), reported: stuck({ because: { kind: 'Immune' } }) },
  'ignores-term': { sweep: 'plain', sidecar: () => sh('trap "" TERM; while :; do sleep 1 & wait; done'), reported: stuck({}) },
  'shell-wrapped': { sweep: 'plain', sidecar: () => sh('sleep 100000; echo bye'), reported: clean('Signal') },
  'no-shell': { sweep: 'plain', sidecar: shellLess, reported: stuck({ because: { kind: 'NoSuchProgram', program: '/bin/sh' } }) },
  'other-user': { sweep: 'plain', sidecar: () => ({ ...onTerm(0)(), securityContext: { runAsUser: 1337, runAsGroup: 1337 } }), reported: clean('Signal') },
  'shared-pid': { sweep: 'plain', sidecar: onTerm(0), shareProcessNamespace: true, reported: clean('Signal') },
  'at-work': { sweep: 'plain', sidecar: onTerm(0), main: 'sleep 100000' },
  'crash-loop': { sweep: 'plain', sidecar: onTerm(0), main: 'exit 7', restartPolicy: 'OnFailure' },
  http: { sweep: 'http', sidecar: ({ quits }) => quits, reported: clean('Http') },
  swap: { sweep: 'swap', sidecar: shellLess, reported: clean('ImageSwap') },
  'swap-raised': { sweep: 'swap', sidecar: shellLess, restartPolicy: 'OnFailure', job: { backoffLimit: 0 }, reported: clean('ImageSwap') },
  ephemeral: { sweep: 'ephemeral', sidecar: shellLess, reported: clean('Signal', 'Signal', 'EphemeralContainer') },
  deadline: { sweep: 'deadline', sidecar: shellLess, reported: { sidecar: { kind: 'Stopped' }, pod: runsAgain, methods: ['Signal', 'Signal', 'Deadline'] } },
  evict: { sweep: 'evict', sidecar: shellLess, reported: removed('Evict') },
  delete: { sweep: 'delete', sidecar: shellLess, reported: removed('Delete') },
};

export function describeBehaviours(namespace: string, open: () => Promise<Site>): void {
  describe('a sweep, by the Job that it finds,', () => {
    let pods: SweepReport['pods'] = [];
    let after: readonly V1Pod[] = [];

    beforeAll(async () => {
      const { config, kubeconfig, images } = await open();
      const core = config.makeApiClient(CoreV1Api);
      const batch = config.makeApiClient(BatchV1Api);
      const list = async () => (await core.listNamespacedPod({ namespace })).items;
      for (const [name, behaviour] of Object.entries(behaviours)) {
        const body = { metadata: { name }, spec: jobSpec(behaviour, images) };
        await batch.createNamespacedJob({ namespace, body });
      }
      await untilStuck(list);
      const reports = await Promise.all(
        Object.entries(sweeps).map(async ([name, policyOf]) => {
          const scope = ['-n', namespace, '-l', `sweep=${name}`, ...policyFlag(policyOf(images))];
          const where = ['--kubeconfig', kubeconfig, '--context', config.getCurrentContext()];
          const { stdout } = await runCli([...scope, ...where, '--no-lock', '--min-age', '1s', '-o', 'json']);
          return sweepReport.parse(JSON.parse(stdout));
        }),
      );
      pods = reports.flatMap((report) => report.pods);
      after = (await list()).filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    }, 300_000);

    it.each(Object.entries(behaviours))('%s', (name, { reported }) => {
      const found = pods.filter(({ owner }) => owner?.name === name);
      expect(found).toHaveLength(reported ? 1 : 0);
      for (const pod of found) {
        const [sidecar] = sidecarsOf(pod);
        expect(pod.outcome).toMatchObject(reported?.pod ?? {});
        expect(sidecar?.outcome).toMatchObject(reported?.sidecar ?? {});
        expect(sidecar?.attempts.map(({ method }) => method)).toEqual(reported?.methods);
        const now = after.find(({ metadata }) => metadata?.uid === pod.uid);
        const ended = 'phase' in pod.outcome ? pod.outcome.phase : 'Running';
        expect(now?.status?.phase).toBe(reported?.isRemoved ? undefined : ended);
      }
    });

    it('uses every method', () => {
      const used = Object.values(behaviours).flatMap(({ reported }) => reported?.methods.at(-1) ?? []);
      expect([...new Set(used)].sort()).toEqual(methods.map(({ name }) => name).sort());
    });
  });
}

/** Grace periods are short, so that this takes seconds. */
function jobSpec({ sidecar, main = 'true', job, ...more }: Behaviour, images: Images): V1JobSpec {
  const { sweep, restartPolicy = 'Never', annotations, shareProcessNamespace = false } = more;
  const container = { name: 'sidecar', image: images.shell, ...sidecar(images) };
  return {
    ...job,
    template: {
      metadata: {
        labels: { sweep },
        annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar', ...annotations },
      },
      spec: {
        restartPolicy,
        terminationGracePeriodSeconds: 3,
        shareProcessNamespace,
        containers: [{ name: 'main', image: images.shell, ...sh(`sleep 1; ${main}`) }, container],
      },
    },
  };
}

/** Waits until every sidecar runs and every main has ended for two seconds, but for the one that works on. */
async function untilStuck(list: () => Promise<readonly V1Pod[]>): Promise<void> {
  const isReady = ({ metadata, status }: V1Pod) => {
    const { main, sidecar } = Object.fromEntries(
      (status?.containerStatuses ?? []).map((one) => [one.name, one]),
    );
    const job = metadata?.labels?.['batch.kubernetes.io/job-name'];
    if (job === 'crash-loop') return (main?.restartCount ?? 0) > 0;
    const end = main?.state?.terminated?.finishedAt;
    const hasEnded = end !== undefined && Date.now() - new Date(end).getTime() > 2_000;
    return sidecar?.state?.running !== undefined && (job === 'at-work' || hasEnded);
  };
  const ready = async () => (await list()).filter(isReady);
  await vi.waitFor(async () => expect(await ready()).toHaveLength(Object.keys(behaviours).length), {
    timeout: 120_000,
    interval: 500,
  });
}
