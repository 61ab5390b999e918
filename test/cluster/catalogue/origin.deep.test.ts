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
  type Swept,
  sidecarReport,
} from '../methods/process-cluster.ts';
import { sidecar } from './cases.ts';

const istio = sidecar('istio-proxy', 'docker.io/istio/proxyv2:1.27.0');
const withEntrypoint = sidecar('sidecar', 'docker.io/acme/with-entrypoint:1');
const stopCommand = ['curl', '-fsS', '-X', 'POST', 'http://127.0.0.1:15020/quitquitquit'];
const logging = sidecar('logging', 'docker.io/acme/logging:1');
const shared = { shareProcessNamespace: true };
const argosDefault = '["/bin/sh", "-c", "kill -%d 1"]';
const argosKill = (command: string, container = 'sidecar') => ({
  [`workflows.argoproj.io/kill-cmd-${container}`]: command,
});
const ownKill = (command: readonly string[]) => ({
  'sidecar-sweeper.dev/kill-cmd-istio-proxy': JSON.stringify(command),
});

/** A pod as in another system, with the annotations of its documentation; its only sidecar exits 0, and the pod succeeds. */
interface Ended extends Omit<StuckJob, 'sweep'> {
  readonly sweep?: keyof typeof sweeps;
  readonly methods: readonly string[];
  /** The first command that was run. */
  readonly command?: readonly string[];
  /** The sidecar's log of requests and signals. */
  readonly heard?: readonly string[];
}

/** No exit code is known of what these commands end. */
const allow = { uncleanExit: 'allow' } as const;

const sweeps = {
  default: { policy: { ...allow, allowedCommands: [stopCommand] } },
  overcome: { policy: { ...allow, lastResort: [{ imageSwap: { image: 'docker.io/local/nop:1' } }] } },
  off: { policy: { ...allow, annotationCommands: 'off' } },
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
    sweep: 'overcome',
    sidecars: [sidecar('sidecar', 'docker.io/otel/opentelemetry-collector-contrib:0.140.0')],
    annotations: argosKill(argosDefault),
    methods: ['Command', 'Command', 'Signal', 'Signal', 'ImageSwap'],
  },
  'Argo Workflows: its default fails if PID 1 is a shell, and a signal reaches the child': {
    name: 'argo-not-pid-1',
    sweep: 'overcome',
    sidecars: [
      { ...logging, name: 'sidecar', command: ['/bin/sh', '-c', '/sidecar TERM=0 && echo bye'], args: [] },
    ],
    annotations: argosKill(argosDefault),
    methods: ['Command', 'Command', 'Signal'],
    heard: ['signal TERM', 'bye'],
  },
  'Argo Workflows: its default fails if the sidecar ignores TERM, and a swap ends it': {
    name: 'argo-no-answer',
    sweep: 'overcome',
    sidecars: [containerOf('sidecar', ignoresTerm)],
    annotations: argosKill(argosDefault),
    methods: ['Command', 'Command', 'Signal', 'Signal', 'ImageSwap'],
  },
  'k8s-controller-sidecars: its annotation names the sidecars, which get TERM': {
    name: 'controller-sidecars',
    sidecars: [logging],
    annotations: { 'nrmitchi.com/sidecars': 'logging' },
    methods: ['Signal'],
    heard: ['signal TERM'],
  },
  'valet: its stop command runs if the policy allows it': {
    name: 'valet',
    sidecars: [istio],
    annotations: ownKill(stopCommand),
    methods: ['Command'],
    command: stopCommand,
    heard: ['asked POST 15020 /quitquitquit'],
  },
  "scuttle: the agent's endpoint is called since Istio 1.3": {
    name: 'scuttle',
    sidecars: [istio],
    methods: ['Http'],
    heard: ['asked POST 15020 /quitquitquit'],
  },
  'scuttle: before that, pkill runs in a shared PID namespace': {
    name: 'scuttle-before-1-3',
    sidecars: [sidecar('istio-proxy', istio.image ?? '', { env: { ISTIO_VERSION: '1.2' } })],
    annotations: ownKill(['pkill', '-f', '/usr/local/bin/pilot-agent']),
    spec: shared,
    methods: ['Command'],
    heard: ['signal TERM'],
  },
  'kubexit: the missing tombstone of the main is written': {
    name: 'kubexit',
    sidecars: [
      sidecar('proxy', 'docker.io/acme/wrapped-by-kubexit:1', {
        env: { KUBEXIT_NAME: 'proxy', KUBEXIT_GRAVEYARD: '/graveyard', KUBEXIT_DEATH_DEPS: 'main' },
      }),
    ],
    methods: ['Tombstone'],
    heard: ['died main', 'signal TERM'],
  },
  'a native sidecar is left to the kubelet, which ends it last': {
    name: 'native',
    sidecars: [istio],
    spec: { initContainers: [{ ...logging, name: 'native', restartPolicy: 'Always' }] },
    methods: ['Http'],
  },
  'annotation commands off: a signal instead': {
    name: 'off',
    sweep: 'off',
    sidecars: [withEntrypoint],
    annotations: argosKill('["sh", "-c", "kill -%d 1"]'),
    methods: ['Signal'],
  },
  'any annotation command: what no allowlist has': {
    name: 'any',
    sweep: 'any',
    sidecars: [withEntrypoint],
    annotations: argosKill('["sh", "-c", "date > /tmp/when; kill -%d 1"]'),
    methods: ['Command'],
    command: ['sh', '-c', 'date > /tmp/when; kill -15 1'],
  },
};

const others: readonly StuckJob[] = [
  {
    name: 'works',
    sweep: 'default',
    sidecars: [logging, { ...logging, name: 'worker' }],
    annotations: { 'nrmitchi.com/sidecars': 'logging' },
  },
  {
    name: 'preflight',
    sweep: 'default',
    sidecars: [sidecar('envoy', 'docker.io/envoyproxy/envoy:distroless-v1.36.0')],
    main: { command: ['sh', '-c', 'exit 3'] },
  },
  {
    name: 'not-allowed',
    sweep: 'default',
    sidecars: [withEntrypoint],
    annotations: argosKill('["sh", "-c", "env > /tmp/loot; kill -%d 1"]'),
  },
];

const why = processesAvailable() ?? sharedPidNamespaceAvailable();

describe.skipIf(why)(`a sweep ends sidecars that other tools are meant to end ${why ?? ''}`, () => {
  const cluster = startedOnce(() => ProcessCluster.start(standInImages));
  const swept = new Map<string, Swept>();
  beforeAll(async () => {
    const jobs = Object.values(ended).map(({ sweep = 'default', ...job }) => ({ ...job, sweep }));
    for (const job of [...jobs, ...others]) cluster.createJob(job);
    await cluster.untilStuck();
    const sweepOne = async ([name, options]: [string, SweepOptions]) =>
      swept.set(name, await cluster.sweep(name, options));
    await Promise.all(Object.entries(sweeps).map(sweepOne));
  });

  function sweptBy(sweep = 'default'): Swept {
    return swept.get(sweep) ?? expect.fail(`${sweep} did not run`);
  }

  const heardBy = (job: string, container: string) =>
    cluster
      .logs(job, container)
      .split('\n')
      .filter((line) => line !== '' && line !== 'ready');

  it.each(Object.entries(ended))('%s', (_title, { name, sweep, sidecars, methods, command, heard }) => {
    const report = sidecarReport(sweptBy(sweep), name);
    expect([report.outcome, methodsTried(report)]).toEqual([{ kind: 'Stopped', exitCode: 0 }, methods]);
    if (command) expect(report.attempts[0]?.command).toEqual(command);
    const outcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
    expect(podReport(sweptBy(sweep), name).outcome).toEqual(outcome);
    expect(cluster.podOf(name)?.status.phase).toBe('Succeeded');
    if (heard) expect(heardBy(name, sidecars[0]?.name ?? '')).toEqual(heard);
  });

  it('nothing is sent to a native sidecar', () => {
    expect(heardBy('native', 'native')).toEqual(['signal TERM']);
    const pod = cluster.podOf('native')?.metadata.name;
    const sent = cluster.emulator.requests.filter(({ name, subresource }) => name === pod && subresource);
    expect(sent.map(({ subresource }) => subresource)).toEqual(['portforward']);
  });

  it('nothing happens while a container that is not listed is running', () => {
    expect(sweptBy().report.pods.map(({ owner }) => owner?.name)).not.toContain('works');
    expect(heardBy('works', 'logging')).toEqual([]);
    expect(cluster.podOf('works')?.status.phase).toBe('Running');
  });

  it("the main's exit code does not change, as with envoy-preflight", () => {
    const { outcome, containers } = podReport(sweptBy(), 'preflight');
    expect(heardBy('preflight', 'envoy')).toEqual(['asked POST 9901 /quitquitquit']);
    expect(outcome).toMatchObject({ kind: 'Ended', phase: 'Failed' });
    expect(containers.find(({ role }) => role === 'Main')).toMatchObject({ exitCode: 3 });
  });

  it('a command that is not on the allowlist is refused, and nothing else is tried', () => {
    const reason = { kind: 'CommandNotAllowed', key: 'workflows.argoproj.io/kill-cmd-sidecar' };
    const skipped = { kind: 'Skipped', reason };
    expect(sidecarReport(sweptBy(), 'not-allowed')).toMatchObject({ outcome: skipped, attempts: [] });
    expect(heardBy('not-allowed', 'sidecar')).toEqual([]);
    expect(cluster.podOf('not-allowed')?.status.phase).toBe('Running');
  });
});
