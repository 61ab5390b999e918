import { beforeAll, describe, expect, it } from 'vitest';
import {
  containerOf,
  ignoresTerm,
  processesAvailable,
  sharedPidNamespaceAvailable,
  standInImages,
} from '../../kit/emulator/index.ts';
import { startedOnce } from '../../kit/started.ts';
import {
  methodsTried,
  ProcessCluster,
  podReport,
  type StuckJob,
  type SweepOptions,
  sidecarReport,
} from '../methods/process-cluster.ts';
import { sidecar } from './cases.ts';

const withEntrypoint = sidecar('sidecar', 'docker.io/acme/with-entrypoint:1');
const logging = sidecar('logging', 'docker.io/acme/logging:1');
const shared = { shareProcessNamespace: true };
const argosKill = (command: string, container = 'sidecar') => ({
  [`workflows.argoproj.io/kill-cmd-${container}`]: command,
});
const argosDefault = {
  annotations: argosKill('["/bin/sh", "-c", "kill -%d 1"]'),
  sweep: 'overcome',
} as const;

/** A pod as in another system, with the annotations of its documentation; its only sidecar exits 0, and the pod succeeds. */
interface Ended extends Omit<StuckJob, 'sweep'> {
  readonly sweep?: keyof typeof sweeps;
  readonly methods: readonly string[];
  readonly command?: readonly string[];
  readonly heard?: readonly string[];
}

/** No exit code is known of what these commands end. */
const allow = { uncleanExit: 'allow' } as const;

const sweeps = {
  default: { policy: allow },
  overcome: { policy: { ...allow, lastResort: [{ imageSwap: { image: 'docker.io/local/nop:1' } }] } },
  any: { policy: { ...allow, annotationCommands: 'any' } },
} as const satisfies Readonly<Record<string, SweepOptions>>;

const ended: Readonly<Record<string, Ended>> = {
  'Argo Workflows: a command of the sidecar': {
    name: 'argo-istio',
    sidecars: [sidecar('istio-proxy', 'docker.io/istio/proxyv2:1.27.0-distroless')],
    annotations: argosKill('["pilot-agent", "request", "POST", "quitquitquit"]', 'istio-proxy'),
    methods: ['Command'],
    command: ['pilot-agent', 'request', 'POST', 'quitquitquit'],
    heard: ['asked POST 15000 /quitquitquit'],
  },
  'Argo Workflows: kill -%d': {
    name: 'argo-vault',
    sidecars: [sidecar('vault-agent', 'docker.io/hashicorp/vault:1.20')],
    annotations: argosKill('["sh", "-c", "kill -%d 1"]', 'vault-agent'),
    methods: ['Command'],
    command: ['sh', '-c', 'kill -15 1'],
    heard: ['signal TERM'],
  },
  // PID 1 is the pause process; `kill 1` would end the pod.
  'Argo Workflows: kill -%d $(pidof ...)': {
    name: 'argo-pidof',
    sidecars: [withEntrypoint],
    annotations: argosKill('["sh", "-c", "kill -%d $(pidof entrypoint.sh)"]'),
    spec: shared,
    methods: ['Command'],
    command: ['sh', '-c', 'kill -15 $(pidof entrypoint.sh)'],
    heard: ['signal TERM'],
  },
  'Argo Workflows: its default fails without /bin/sh, and a swap ends the sidecar': {
    name: 'argo-no-shell',
    sidecars: [sidecar('sidecar', 'docker.io/otel/opentelemetry-collector-contrib:0.140.0')],
    ...argosDefault,
    methods: ['Command', 'Command', 'Signal', 'Signal', 'ImageSwap'],
  },
  'Argo Workflows: its default fails if PID 1 is a shell, and a signal reaches the child': {
    name: 'argo-not-pid-1',
    sidecars: [
      { ...logging, name: 'sidecar', command: ['/bin/sh', '-c', '/sidecar TERM=0 && echo bye'], args: [] },
    ],
    ...argosDefault,
    methods: ['Command', 'Command', 'Signal'],
    heard: ['signal TERM', 'bye'],
  },
  'Argo Workflows: its default fails if the sidecar ignores TERM, and a swap ends it': {
    name: 'argo-no-answer',
    sidecars: [containerOf('sidecar', ignoresTerm)],
    ...argosDefault,
    methods: ['Command', 'Command', 'Signal', 'Signal', 'ImageSwap'],
  },
  'any annotation command, if the policy says so': {
    name: 'any',
    sweep: 'any',
    sidecars: [withEntrypoint],
    annotations: argosKill('["sh", "-c", "date > /tmp/when; kill -%d 1"]'),
    methods: ['Command'],
    command: ['sh', '-c', 'date > /tmp/when; kill -15 1'],
  },
};

/** Its main fails, as envoy-preflight passes on. */
const preflight: StuckJob = {
  name: 'preflight',
  sweep: 'default',
  sidecars: [sidecar('envoy', 'docker.io/envoyproxy/envoy:distroless-v1.36.0')],
  main: { command: ['sh', '-c', 'exit 3'] },
};

const why = processesAvailable() ?? sharedPidNamespaceAvailable();

describe.skipIf(why)(`a sweep ends sidecars that other tools are meant to end ${why ?? ''}`, () => {
  const cluster = startedOnce(() => ProcessCluster.start(standInImages));
  beforeAll(async () => {
    const jobs = Object.values(ended).map(({ sweep = 'default', ...job }) => ({ ...job, sweep }));
    for (const job of [...jobs, preflight]) cluster.createJob(job);
    await cluster.untilStuck();
    await cluster.sweepAll(sweeps);
  });

  it.each(Object.entries(ended))(
    '%s',
    (_title, { name, sweep = 'default', sidecars, methods, command, heard }) => {
      const swept = cluster.swept(sweep);
      const report = sidecarReport(swept, name);
      expect([report.outcome, methodsTried(report)]).toEqual([{ kind: 'Stopped', exitCode: 0 }, methods]);
      if (command) expect(report.attempts[0]?.command).toEqual(command);
      const outcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
      expect(podReport(swept, name).outcome).toEqual(outcome);
      expect(cluster.podOf(name)?.status.phase).toBe('Succeeded');
      if (heard) expect(cluster.heard(name, sidecars[0]?.name ?? '')).toEqual(heard);
    },
  );

  it("the main's exit code does not change, as with envoy-preflight", () => {
    const { outcome, containers } = podReport(cluster.swept('default'), 'preflight');
    expect(cluster.heard('preflight', 'envoy')).toEqual(['asked POST 9901 /quitquitquit']);
    expect(outcome).toMatchObject({ kind: 'Ended', phase: 'Failed' });
    expect(containers.find(({ role }) => role === 'Main')).toMatchObject({ exitCode: 3 });
  });
});
