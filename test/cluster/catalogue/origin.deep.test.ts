import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  containerOf,
  ignoresTerm,
  processesAvailable,
  sharedPidNamespaceAvailable,
  standInImages,
} from '../../kit/emulator/index.ts';
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

const istio = 'docker.io/istio/proxyv2:1.27.0';
const withEntrypoint = sidecar('sidecar', 'docker.io/acme/with-entrypoint:1');
const stopCommand = ['curl', '-fsS', '-X', 'POST', 'http://127.0.0.1:15020/quitquitquit'];
const logging = sidecar('logging', 'docker.io/acme/logging:1');
const argosDefault = '["/bin/sh", "-c", "kill -%d 1"]';

/** Pods as in each system, with annotations from its documentation. */
const jobs: readonly StuckJob[] = [
  {
    name: 'argo-istio',
    sweep: 'default',
    sidecars: [sidecar('istio-proxy', `${istio}-distroless`)],
    annotations: {
      'workflows.argoproj.io/kill-cmd-istio-proxy': '["pilot-agent", "request", "POST", "quitquitquit"]',
    },
  },
  {
    name: 'argo-vault',
    sweep: 'default',
    sidecars: [sidecar('vault-agent', 'docker.io/hashicorp/vault:1.20')],
    annotations: { 'workflows.argoproj.io/kill-cmd-vault-agent': '["sh", "-c", "kill -%d 1"]' },
  },
  {
    name: 'argo-pidof',
    sweep: 'default',
    sidecars: [withEntrypoint],
    annotations: {
      'workflows.argoproj.io/kill-cmd-sidecar': '["sh", "-c", "kill -%d $(pidof entrypoint.sh)"]',
    },
    // PID 1 is the pause process; `kill 1` would end the pod.
    spec: { shareProcessNamespace: true },
  },
  {
    name: 'argo-no-shell',
    sweep: 'overcome',
    sidecars: [sidecar('sidecar', 'docker.io/otel/opentelemetry-collector-contrib:0.140.0')],
    annotations: { 'workflows.argoproj.io/kill-cmd-sidecar': argosDefault },
  },
  {
    name: 'argo-not-pid-1',
    sweep: 'overcome',
    sidecars: [
      { ...logging, name: 'sidecar', command: ['/bin/sh', '-c', '/sidecar TERM=0 && echo bye'], args: [] },
    ],
    annotations: { 'workflows.argoproj.io/kill-cmd-sidecar': argosDefault },
  },
  {
    name: 'argo-no-answer',
    sweep: 'overcome',
    sidecars: [containerOf('sidecar', ignoresTerm)],
    annotations: { 'workflows.argoproj.io/kill-cmd-sidecar': argosDefault },
  },
  {
    name: 'controller-sidecars',
    sweep: 'default',
    sidecars: [logging],
    annotations: { 'nrmitchi.com/sidecars': 'logging' },
  },
  {
    name: 'controller-sidecars-works',
    sweep: 'default',
    sidecars: [logging, { ...logging, name: 'worker' }],
    annotations: { 'nrmitchi.com/sidecars': 'logging' },
  },
  {
    name: 'valet',
    sweep: 'default',
    sidecars: [sidecar('istio-proxy', istio)],
    annotations: { 'sidecar-sweeper.dev/kill-cmd-istio-proxy': JSON.stringify(stopCommand) },
  },
  {
    name: 'preflight',
    sweep: 'default',
    sidecars: [sidecar('envoy', 'docker.io/envoyproxy/envoy:distroless-v1.36.0')],
    main: { command: ['sh', '-c', 'exit 3'] },
  },
  { name: 'scuttle', sweep: 'default', sidecars: [sidecar('istio-proxy', istio)] },
  {
    name: 'scuttle-before-1-3',
    sweep: 'default',
    sidecars: [sidecar('istio-proxy', istio, { env: { ISTIO_VERSION: '1.2' } })],
    annotations: {
      'sidecar-sweeper.dev/kill-cmd-istio-proxy': '["pkill", "-f", "/usr/local/bin/pilot-agent"]',
    },
    spec: { shareProcessNamespace: true },
  },
  {
    name: 'kubexit',
    sweep: 'default',
    sidecars: [
      sidecar('proxy', 'docker.io/acme/wrapped-by-kubexit:1', {
        env: { KUBEXIT_NAME: 'proxy', KUBEXIT_GRAVEYARD: '/graveyard', KUBEXIT_DEATH_DEPS: 'main' },
      }),
    ],
  },
  {
    name: 'native',
    sweep: 'default',
    sidecars: [sidecar('istio-proxy', istio)],
    spec: { initContainers: [{ ...logging, name: 'native', restartPolicy: 'Always' }] },
  },
  {
    name: 'not-allowed',
    sweep: 'default',
    sidecars: [withEntrypoint],
    annotations: { 'workflows.argoproj.io/kill-cmd-sidecar': '["sh", "-c", "env > /tmp/loot; kill -%d 1"]' },
  },
  {
    name: 'off',
    sweep: 'off',
    sidecars: [withEntrypoint],
    annotations: { 'workflows.argoproj.io/kill-cmd-sidecar': '["sh", "-c", "kill -%d 1"]' },
  },
  {
    name: 'any',
    sweep: 'any',
    sidecars: [withEntrypoint],
    annotations: { 'workflows.argoproj.io/kill-cmd-sidecar': '["sh", "-c", "date > /tmp/when; kill -%d 1"]' },
  },
];

const sweeps: Readonly<Record<string, SweepOptions>> = {
  default: { policy: { allowedCommands: [stopCommand] } },
  overcome: { policy: { lastResort: [{ imageSwap: { image: 'docker.io/local/nop:1' } }] } },
  off: { flags: ['--annotation-commands', 'off'] },
  any: { flags: ['--annotation-commands', 'any'] },
};

const why = processesAvailable() ?? sharedPidNamespaceAvailable();

describe.skipIf(why)(`a sweep ends sidecars that other tools are meant to end ${why ?? ''}`, () => {
  let cluster: ProcessCluster;
  const swept = new Map<string, Swept>();

  beforeAll(async () => {
    cluster = await ProcessCluster.start(standInImages);
    for (const job of jobs) cluster.createJob(job);
    await cluster.untilStuck();
    const names = Object.keys(sweeps);
    await Promise.all(names.map(async (name) => swept.set(name, await cluster.sweep(name, sweeps[name]))));
  });
  afterAll(() => cluster.stop());

  const sweepOf = (name: string): Swept => {
    const sweep = swept.get(jobs.find((job) => job.name === name)?.sweep ?? '');
    if (!sweep) throw new Error(`${name} was not swept`);
    return sweep;
  };
  const reported = (name: string) => sidecarReport(sweepOf(name), name);
  const heard = (name: string, container: string) =>
    cluster
      .logs(name, container)
      .split('\n')
      .filter((line) => line !== '' && line !== 'ready');
  /** Expects that the only sidecar exited 0 and that the pod succeeded. */
  const expectEnded = (name: string, methods: readonly string[]) => {
    expect([reported(name).outcome, methodsTried(reported(name))]).toEqual([
      { kind: 'Stopped', exitCode: 0 },
      methods,
    ]);
    const outcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
    expect(podReport(sweepOf(name), name).outcome).toEqual(outcome);
    expect(cluster.podOf(name)?.status.phase).toBe('Succeeded');
  };

  describe('Argo Workflows', () => {
    it('kill-cmd-istio-proxy: ["pilot-agent", "request", "POST", "quitquitquit"]', () => {
      expectEnded('argo-istio', ['Command']);
      expect(reported('argo-istio').attempts[0]?.command).toEqual([
        'pilot-agent',
        'request',
        'POST',
        'quitquitquit',
      ]);
      expect(heard('argo-istio', 'istio-proxy')).toEqual(['asked POST 15000 /quitquitquit']);
    });

    it('kill-cmd-vault-agent: ["sh", "-c", "kill -%d 1"]', () => {
      expectEnded('argo-vault', ['Command']);
      expect(reported('argo-vault').attempts[0]?.command).toEqual(['sh', '-c', 'kill -15 1']);
      expect(heard('argo-vault', 'vault-agent')).toEqual(['signal TERM']);
    });

    it('kill-cmd-sidecar: ["sh", "-c", "kill -%d $(pidof entrypoint.sh)"]', () => {
      expectEnded('argo-pidof', ['Command']);
      const command = ['sh', '-c', 'kill -15 $(pidof entrypoint.sh)'];
      expect(reported('argo-pidof').attempts[0]?.command).toEqual(command);
      expect(heard('argo-pidof', 'sidecar')).toEqual(['signal TERM']);
    });

    it('its default fails without /bin/sh; the swap ends the sidecar', () => {
      expectEnded('argo-no-shell', ['Command', 'Command', 'Signal', 'Signal', 'ImageSwap']);
      expect(reported('argo-no-shell').attempts[0]?.result).toMatchObject({ kind: 'NoSuchProgram' });
    });

    it("its default fails if PID 1 is a shell; a signal reaches the shell's child", () => {
      expectEnded('argo-not-pid-1', ['Command', 'Command', 'Signal']);
      expect(heard('argo-not-pid-1', 'sidecar')).toEqual(['signal TERM', 'bye']);
    });

    it('its default fails if the sidecar ignores the signal; the swap ends the sidecar', () => {
      expectEnded('argo-no-answer', ['Command', 'Command', 'Signal', 'Signal', 'ImageSwap']);
      const commands = reported('argo-no-answer').attempts.flatMap(({ command }) => command?.at(-1) ?? []);
      expect(commands.slice(0, 2)).toEqual(['kill -15 1', 'kill -9 1']);
    });
  });

  describe('k8s-controller-sidecars', () => {
    it('nrmitchi.com/sidecars names the sidecars, which get TERM', () => {
      expectEnded('controller-sidecars', ['Signal']);
      expect(reported('controller-sidecars').because).toEqual({
        kind: 'Annotation',
        key: 'nrmitchi.com/sidecars',
      });
      expect(heard('controller-sidecars', 'logging')).toEqual(['signal TERM']);
    });

    it('nothing happens while a container that is not listed is running', () => {
      const owners = sweepOf('controller-sidecars-works').report.pods.map(({ owner }) => owner?.name);
      expect(owners).not.toContain('controller-sidecars-works');
      expect(heard('controller-sidecars-works', 'logging')).toEqual([]);
      expect(cluster.podOf('controller-sidecars-works')?.status.phase).toBe('Running');
    });
  });

  describe('valet', () => {
    it('its stop command runs if the policy allows it', () => {
      expectEnded('valet', ['Command']);
      expect(reported('valet').attempts[0]?.command).toEqual(stopCommand);
      expect(heard('valet', 'istio-proxy')).toEqual(['asked POST 15020 /quitquitquit']);
    });
  });

  describe('envoy-preflight', () => {
    it("Envoy's endpoint is called, and the main container's exit code does not change", () => {
      const { outcome, containers } = podReport(sweepOf('preflight'), 'preflight');
      expect(heard('preflight', 'envoy')).toEqual(['asked POST 9901 /quitquitquit']);
      expect(reported('preflight').outcome).toEqual({ kind: 'Stopped', exitCode: 0 });
      expect(outcome).toMatchObject({ kind: 'Ended', phase: 'Failed' });
      expect(containers.find(({ role }) => role === 'Main')).toMatchObject({ exitCode: 3 });
      const main = cluster.podOf('preflight')?.status.containerStatuses?.find(({ name }) => name === 'main');
      expect(main?.state.terminated?.exitCode).toBe(3);
    });
  });

  describe('scuttle', () => {
    it("the agent's endpoint is called since Istio 1.3", () => {
      expectEnded('scuttle', ['Http']);
      expect(heard('scuttle', 'istio-proxy')).toEqual(['asked POST 15020 /quitquitquit']);
    });

    it('before that, pkill -f /usr/local/bin/pilot-agent runs in a shared PID namespace', () => {
      expectEnded('scuttle-before-1-3', ['Command']);
      expect(heard('scuttle-before-1-3', 'istio-proxy')).toEqual(['signal TERM']);
    });
  });

  describe('kubexit', () => {
    it('a missing tombstone of the main container is written', () => {
      expectEnded('kubexit', ['Tombstone']);
      expect(reported('kubexit').attempts[0]?.does).toContain('/graveyard/main');
      expect(heard('kubexit', 'proxy')).toEqual(['died main', 'signal TERM']);
    });
  });

  describe('native sidecars', () => {
    it('are recognised, reported and left to the kubelet, which ends them last', () => {
      expectEnded('native', ['Http']);
      const { containers } = podReport(sweepOf('native'), 'native');
      expect(containers.filter(({ name }) => name === 'native')).toEqual([
        { role: 'NativeSidecar', name: 'native', image: logging.image },
      ]);
      const pod = cluster.podOf('native')?.metadata.name;
      const sent = cluster.emulator.requests.filter(({ name, subresource }) => name === pod && subresource);
      expect(sent.map(({ subresource }) => subresource)).toEqual(['portforward']);
      expect(heard('native', 'native')).toEqual(['signal TERM']);
    });
  });

  describe('kill commands of annotations', () => {
    it('that are not on the allowlist are refused, and nothing else is tried', () => {
      const skipped = {
        kind: 'Skipped',
        reason: { kind: 'CommandNotAllowed', key: 'workflows.argoproj.io/kill-cmd-sidecar' },
      };
      expect(reported('not-allowed')).toMatchObject({ outcome: skipped, attempts: [] });
      expect(podReport(sweepOf('not-allowed'), 'not-allowed').outcome).toEqual(skipped);
      expect(heard('not-allowed', 'sidecar')).toEqual([]);
      expect(cluster.podOf('not-allowed')?.status.phase).toBe('Running');
    });

    it('do not run with --annotation-commands off; signals are used instead', () => {
      expectEnded('off', ['Signal']);
      expect(reported('off').unfit).toMatchObject([{ method: 'Command', reason: 'NotAllowed' }]);
    });

    it('all run with --annotation-commands any', () => {
      expectEnded('any', ['Command']);
      const command = ['sh', '-c', 'date > /tmp/when; kill -15 1'];
      expect(reported('any').attempts[0]?.command).toEqual(command);
    });
  });
});
