import { describe, expect, it } from 'vitest';
import type { ContainerOutcome } from '../../../src/model/outcome.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { Unfit } from '../../../src/model/step.ts';
import type { PodDraft } from '../../../src/plan/draft.ts';
import type { PlannedTarget } from '../../../src/plan/sweep-plan.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { type Rule, rule } from '../../../src/policy/rules.ts';
import { candidate } from '../../builders/plan.ts';
import {
  argoKey,
  draftOf,
  early,
  knowing,
  profileOf,
  quit,
  specs,
  swap,
  withKillCommand,
} from '../../builders/planned.ts';
import {
  container,
  exited,
  podView,
  podWith,
  podWithSidecar,
  running,
  waiting,
} from '../../builders/pod-view.ts';

const byDefault = { source: { kind: 'Default' } } as const;
const noopSwap = { method: 'ImageSwap', image: 'noop:1', programs: 'shipped', grace: 105_000 };
const cleanSwap = { ...noopSwap, exitCode: 0, promisedBy: 'NoopImage' };

function drafted(pod: PodView, more: Partial<Policy> = {}): PlannedTarget {
  const [target] = draftOf(pod, more).targets;
  if (target?.kind !== 'Planned') expect.fail(`not drafted: ${JSON.stringify(target)}`);
  return target;
}

/** A stuck pod whose only running sidecar is `sidecar`, and another one in this state. */
function withLogging(logging: ContainerView['state'], more: Partial<ContainerView> = {}): PodView {
  return podWith([container('logging', logging, more), 'sidecar']);
}

const promises = (steps: PodDraft['lastResort']) =>
  steps.map(({ exitCode, promisedBy }) => [exitCode, promisedBy] as const);

describe('that a sidecar exits with 0 when it is asked to end', () => {
  const kill = { command: ['pkill', '-%d', 'proxy'] };
  const known = knowing(kill, { signal: ['KILL', 'INT'] }, { signal: ['INT', 'KILL'] }, { http: quit.http });
  const annotations = { ...podView().annotations, 'sidecar-sweeper.dev/exits-with-zero': 'sidecar' };
  const byAnnotation = podView({ annotations });
  const byRule: Rule = rule.parse({ name: 'clean', containers: ['sidecar'], exitsWithZero: true });

  it.each([
    ['its owner', byAnnotation, {}, 'Owner'],
    ['a rule', podView(), { rules: [byRule] }, 'Policy'],
  ] as const)('says nothing of its end by KILL: %s', (_title, pod, more, by) => {
    const { steps } = drafted(pod, { ...known, ...more });
    const none = [undefined, undefined];
    expect(promises(steps)).toEqual([[0, by], none, none, [0, by], [0, by], [0, by], [137, undefined]]);
  });
});

describe('the catalogue', () => {
  const exitOf = (script: string, more: Partial<Policy> = {}, command = ['/bin/sh', '-c']) => {
    const image = 'docker.io/fluent/fluent-bit:3.2-debug';
    const shipper = container('fluent-bit', running, { image, command, args: [script] });
    return drafted(podWith([shipper]), { catalogue, ...more }).steps[0]?.exitCode;
  };

  it.each([
    ['bash', '-eo', 'pipefail', '-c'],
    ['sh', '-c', '-e'],
    ['tini', '--', '/bin/ash', '-xc'],
    ['ionice', '-c', '3', 'sh', '-c'],
  ])('finds the script among the options of a shell: %s', (...command) => {
    expect(exitOf('fluent-bit & tail -f /log', {}, command)).toBeUndefined();
    expect(exitOf('exec fluent-bit', {}, command)).toBe(0);
  });

  it.each([
    ['sh', '/scripts/start'],
    ['sh', '/scripts/run-c'],
    ['sh', '/scripts/start', '-config'],
    ['tini', '--', '/scripts/start.sh'],
  ])('does not know a script that is not in the pod: %j', (...command) => {
    expect(exitOf('/a', {}, command)).toBeUndefined();
  });

  it.each([
    ['/docker-entrypoint.sh'],
    ['shipper'],
    ['fluent-bit', '--host=logs.acme.sh'],
    ['vector', '-c', 'https://acme.example/config?of=a&in=b'],
    ['fluent-bit', '-o', 'https://logs.acme.sh:9200/a'],
  ])('knows what is no script: %j', (...command) => {
    expect(exitOf('fluent-bit', {}, command)).toBe(0);
  });

  // Signals reach the children of the shell, which then ends as the last command does, here with 143.
  it.each([
    'fluent-bit -c /a & tail -f /log',
    'fluent-bit -c /a; sleep 1',
    'cd /a\nfluent-bit',
    'a || fluent-bit',
    'fluent-bit -c /a | tee /b',
    'cat /a |  exec fluent-bit',
    'exec 3>&1; fluent-bit -c /a',
    // A wait that a signal interrupts returns 143.
    'fluent-bit & p=$!; trap "kill $p" TERM; wait $p',
    'trap "exit 143" TERM; while :; do sleep 1 & wait; done',
    '/scripts/start.sh --config /a',
    'python3 /scripts/start.py',
  ])('does not say how a script of several commands ends: %s', (script) => {
    expect(exitOf(script)).toBeUndefined();
    // An operator may, who knows the script.
    const own = { ...profileOf('fluent-bit', { signal: ['TERM'], exitCode: 0 }), images: ['fluent-bit'] };
    expect(exitOf(script, { catalogue: [own] })).toBe(0);
  });

  it('keeps the code of a program that never ends with 0, even if a script starts it', () => {
    const more = { image: 'git-sync', command: ['sh', '-c', 'sleep 1; git-sync'] };
    const [first] = drafted(podWith([container('git-sync', running, more)]), { catalogue }).steps;
    expect(first?.exitCode).toBe(143);
  });

  it.each([
    'fluent-bit -c /a 2>&1',
    'fluent-bit -c /a\n',
    'cat /a | base64 -d > /b && fluent-bit -c /b',
    'until nc -z db 5432; do sleep 1; done; exec fluent-bit -c /a',
    'trap "exit 0" TERM; while :; do sleep 1 & wait; done',
  ])('says how one ends that ends as the sidecar does, or handles signals: %s', (script) => {
    expect(exitOf(script)).toBe(0);
  });
});

describe('the steps for a sidecar', () => {
  it('are the owner’s, then the profile’s, then signals, then what the policy adds', () => {
    const pod = withKillCommand('["sh", "-c", "kill -%d 1"]');
    const lastResort = specs(swap, { delete: true }, { signal: ['QUIT'] });
    const draft = draftOf(pod, { ...knowing(quit, { command: ['quit'] }), lastResort });
    const annotation = { kind: 'Annotation', key: argoKey };
    const profile = { kind: 'Profile', profile: 'known' };
    expect(draft.targets).toMatchObject([
      {
        steps: [
          { method: 'Command', command: ['sh', '-c', 'kill -15 1'], source: annotation },
          { method: 'Command', command: ['sh', '-c', 'kill -9 1'], source: annotation },
          { method: 'Http', source: profile },
          { method: 'Command', command: ['quit'], source: profile },
          { method: 'Signal', signals: ['TERM'], source: { kind: 'Default' } },
          { method: 'Signal', signals: ['KILL'], source: { kind: 'Default' } },
          { method: 'Signal', signals: ['QUIT'], source: { kind: 'LastResort' } },
        ],
        unfit: [],
      },
    ]);
    expect(draft.lastResort).toEqual([
      { ...cleanSwap, source: { kind: 'LastResort' } },
      { method: 'Delete', exitCode: 137, source: { kind: 'LastResort' }, grace: 45_000 },
    ]);
    expect(draft.swap).toBeUndefined();
  });

  it('are TERM and then KILL if nothing else is known', () => {
    const draft = draftOf(podView({ grace: 47_000 }));
    const steps = [
      { method: 'Signal', signals: ['TERM'], ...byDefault, grace: 47_000, exitCode: undefined },
      { method: 'Signal', signals: ['KILL'], ...byDefault, grace: 2_000, exitCode: 137 },
    ];
    const own = { containerId: 'containerd://sidecar-0', image: 'docker.io/local/busybox:1', turn: 0 };
    expect(draft).toEqual({
      candidate: candidate(podView({ grace: 47_000 })),
      targets: [{ kind: 'Planned', container: 'sidecar', ...own, steps, uncertain: [], unfit: [] }],
      swap: undefined,
      lastResort: [],
      wantsRaise: false,
    });
  });

  it.each<readonly [title: string, written: readonly object[], signals: readonly string[]]>([
    ['another signal', [{ signal: ['INT'] }], ['INT', 'TERM', 'KILL']],
    ['TERM', [{ signal: ['TERM'], exitCode: 143 }], ['TERM', 'KILL']],
    ['TERM as a substitute', [{ signal: ['INT', 'TERM'] }], ['INT,TERM', 'KILL']],
    ['TERM among others', [quit, { signal: ['INT'] }, { signal: ['TERM'] }], ['INT', 'TERM', 'KILL']],
    ['no signal', [{ command: ['quit'] }], ['TERM', 'KILL']],
  ])('leave TERM to a profile that mentions it: %s', (_title, written, expected) => {
    const signals = drafted(podView(), knowing(...written)).steps.flatMap((step) =>
      step.method === 'Signal' ? step.signals.join() : [],
    );
    expect(signals).toEqual(expected);
  });

  it('are those that need no signal, in a pod that sees the node’s processes', () => {
    const { steps, unfit } = drafted(podView({ processNamespace: 'Node' }), knowing(quit));
    expect(steps.map(({ method }) => method)).toEqual(['Http']);
    const noSignal: Unfit = { method: 'Signal', reason: 'SeesTheNode', detail: 'hostPID' };
    expect(unfit).toEqual([noSignal, noSignal]);
  });
});

describe('the last resort of a pod', () => {
  const two = (a: Partial<ContainerView> = {}, b: Partial<ContainerView> = {}) =>
    podWith([container('a', running, a), container('b', running, b)]);

  it('has each method once for all sidecars, in the order of the policy', () => {
    const { targets, lastResort } = draftOf(two(), { lastResort: specs(swap, { deadline: true }) });
    expect(targets).toHaveLength(2);
    expect(lastResort.map(({ method }) => method)).toEqual(['ImageSwap', 'Deadline']);
  });

  const agent = { command: ['/opt/agent'] };
  const whyUnknown = expect.stringContaining('/opt/agent');
  const unknown = {
    ...noopSwap,
    exitCode: undefined,
    whyUnknown,
    grace: 135_000,
    source: { kind: 'LastResort' },
  };
  const last = (step: object) => ({ lastResort: [step], swap: undefined });
  const catalogue = ['a', 'b'].map((name) =>
    profileOf(name, { ephemeralContainer: { image: 'quit:1', command: ['quit', name] }, exitCode: 0 }),
  );

  const graces = [143, 1].map((exitCode, index) =>
    profileOf(['a', 'b'][index] ?? '', { evict: true, exitCode }),
  );
  const beside = [15, 2].map((signal, exitCode) => {
    return { ephemeralContainer: { image: 'sh:1', command: [`kill -${signal} 1`] }, exitCode };
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, PodView, Partial<Policy>, expected: object]>([
    ['keeps the exit code if it is the same for all sidecars', two(), { lastResort: specs(swap) }, last({ exitCode: 0 })],
    ['keeps the exit code that is written', two(), { lastResort: specs({ evict: true, exitCode: 143 }) }, last({ exitCode: 143 })],
    ['promises no exit code if that of the first sidecar differs', two(agent), { lastResort: specs(swap) }, last(unknown)],
    ['promises none if that of the second differs', two({}, agent), { lastResort: specs(swap) }, last(unknown)],
    ['promises none if what they ask for differs', two(), { lastResort: [], catalogue: graces }, last({ method: 'Evict', exitCode: undefined })],
    ['adds an ephemeral container only for the sidecar whose profile has it', two(), { catalogue }, { lastResort: ['a', 'b'].map((name) => ({ command: ['quit', name], exitCode: 0, only: [name] })) }],
    ['has one with each command', podView(), { lastResort: specs(...beside) }, { lastResort: [{ exitCode: 0 }, { exitCode: 1 }] }],
    ['waits for several swapped containers, which the kubelet ends in turn', two(), { lastResort: specs(swap) }, last({ grace: 135_000 })],
    ['is not the swap before it, which waits as long', two(), { swap: early }, { swap: { grace: 135_000 }, lastResort: [] }],
  ])('%s', (_title, pod, more, expected) => {
    expect(draftOf(pod, more)).toMatchObject(expected);
  });

  it('has one ephemeral container for the sidecars that ask for the same', () => {
    const three = podWith(['a', 'b', 'c'].map((name) => container(name, running)));
    const catalogue = ['a', 'b'].map((name) => profileOf(name, beside[0] ?? {}));
    const onlyOf = (more: Partial<Policy>) => draftOf(three, more).lastResort.map(({ only }) => only);
    expect(onlyOf({ catalogue })).toEqual([['a', 'b']]);
    expect(onlyOf({ lastResort: specs(...beside) })).toEqual([undefined, undefined]);
    expect(onlyOf({ lastResort: specs({ evict: true }) })).toEqual([undefined]);
  });

  it('begins with what the profile does to the pod, and has each method of the first who asks for it', () => {
    const lastResort = (...written: readonly object[]) =>
      draftOf(podView(), { ...knowing({ evict: true, grace: '1s' }), lastResort: specs(...written) })
        .lastResort;
    const evict = { method: 'Evict', source: { kind: 'Profile', profile: 'known' } };
    expect(lastResort(swap)).toMatchObject([evict, { ...cleanSwap, source: { kind: 'LastResort' } }]);
    expect(lastResort({ evict: true })).toEqual([{ ...evict, grace: 16_000, exitCode: 137 }]);
  });
});

describe('a sidecar is skipped', () => {
  const skipped = (outcome: ContainerOutcome, name = 'logging', unfit: readonly Unfit[] = []) => {
    return { kind: 'Skipped', container: name, turn: 0, outcome, unfit };
  };
  const notRunning = (state: string): ContainerOutcome => {
    return { kind: 'Skipped', reason: { kind: 'NotRunning', state } };
  };

  // biome-ignore format: one row a line
  it.each<readonly [title: string, pod: PodView, outcome: ContainerOutcome]>([
    ['if it runs and no container ID says which instance', withLogging(running, { id: undefined }), notRunning('Running')],
    ['if nothing is reported of it', withLogging({ kind: 'Unreported' }), notRunning('Unreported')],
    ['if it waits, with the reason', withLogging(waiting('ImagePullBackOff')), notRunning('ImagePullBackOff')],
    ['if it had ended by itself, with its exit code', withLogging(exited(3)), { kind: 'AlreadyEnded', exitCode: 3 }],
  ])('%s', (_title, pod, outcome) => {
    const { targets, lastResort } = draftOf(pod, { lastResort: specs(swap) });
    expect(targets[0]).toEqual(skipped(outcome));
    expect(targets[1]).toMatchObject({ kind: 'Planned', container: 'sidecar' });
    expect(lastResort).toHaveLength(1);
  });

  it('if the pod shows that no step can work, with the reasons', () => {
    const noSignal: Unfit = { method: 'Signal', reason: 'SeesTheNode', detail: 'hostPID' };
    expect(draftOf(podView({ processNamespace: 'Node' })).targets).toEqual([
      skipped({ kind: 'Skipped', reason: { kind: 'NoWay' } }, 'sidecar', [noSignal, noSignal]),
    ]);
  });

  it('if its image was swapped, and the kubelet has not replaced it yet: nothing may come in between', () => {
    const pod = podWithSidecar({ image: 'noop:1', ranImage: 'docker.io/acme/proxy:1' });
    const outcome = { kind: 'StillRunning', because: { kind: 'SwapUnderWay' } } as const;
    for (const by of [{ swap: early }, { lastResort: specs(swap) }]) {
      const targets = [skipped(outcome, 'sidecar')];
      const draft = draftOf(pod, { ...knowing(quit), ...by });
      expect(draft).toMatchObject({ targets, swap: undefined, lastResort: [] });
    }
    expect(draftOf(pod).targets).toMatchObject([{ kind: 'Planned' }]);
    const ours = podWithSidecar({ image: 'mirror.example/sidecar-sweeper-noop:1', ranImage: 'acme/proxy:1' });
    expect(draftOf(ours).targets).toMatchObject([{ kind: 'Skipped', outcome }]);
  });

  it('if its owner asks for something that is not done', () => {
    const more = { ...knowing(quit), lastResort: specs(swap) };
    const { targets, lastResort } = draftOf(withKillCommand('kill 1'), more);
    const reason = { kind: 'BadKillCommand', key: argoKey, problem: 'not JSON' } as const;
    expect(targets).toEqual([skipped({ kind: 'Skipped', reason }, 'sidecar')]);
    expect(lastResort).toEqual([]);
  });
});

it('a draft knows from the catalogue what other sidecars talk through, and what ends after all others', () => {
  const proxy = { name: 'istio-proxy', image: 'docker.io/istio/proxyv2:1.27.0' };
  const vault = { name: 'vault-agent', image: 'hashicorp/vault:1.17' };
  const sql = { name: 'cloud-sql-proxy', image: 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.18.0' };
  const stunnel = { name: 'stunnel', image: 'docker.io/dweomer/stunnel:1' };
  const haproxy = { name: 'haproxy', image: 'docker.io/library/haproxy:3.0' };
  const nginx = { name: 'nginx-proxy', image: 'docker.io/library/nginx:1.27' };
  const azwi = { name: 'azwi-proxy', image: 'mcr.microsoft.com/oss/azure/workload-identity/proxy:v1.1.0' };
  const tailscale = { name: 'ts-sidecar', image: 'ghcr.io/tailscale/tailscale:v1.80' };
  const gcsfuse = { name: 'gke-gcsfuse-sidecar', image: 'gke.gcr.io/gcs-fuse-csi-driver-sidecar-mounter:v1' };
  const agent = { name: 'datadog-agent', image: 'datadog/agent:7' };
  const leaves = { ...agent, env: { DD_AUTO_EXIT_NOPROCESS_ENABLED: 'true' } };
  const turnOf = ({ name, ...more }: Pick<ContainerView, 'name' | 'image'> & Partial<ContainerView>) =>
    draftOf(podWith([container(name, running, more)])).targets[0]?.turn;
  expect([vault, agent].map(turnOf)).toEqual([0, 0]);
  expect([sql, stunnel, haproxy, nginx].map(turnOf)).toEqual([1, 1, 1, 1]);
  expect([proxy, azwi, tailscale, leaves, gcsfuse].map(turnOf)).toEqual([2, 2, 2, 2, 2]);
  expect(drafted(podView()).turn).toBe(0);
});

describe('the image swap that is allowed before uncertain steps', () => {
  const logging = { command: ['/opt/agent'] };

  it('is one for all sidecars that run; the code is known if it is that of all', () => {
    const more = { swap: early };
    // On a real 1.36 kubelet, each has the whole grace period, one after the other.
    const { swap: certain } = draftOf(withLogging(running), more);
    expect(certain).toMatchObject({ exitCode: 0, grace: 135_000 });
    expect(certain?.only).toBeUndefined();
    const { swap: uncertain } = draftOf(withLogging(running, logging), more);
    expect(uncertain).toMatchObject({ method: 'ImageSwap', exitCode: undefined });
    expect(draftOf(withLogging(exited(0)), more).swap).toMatchObject({ only: ['sidecar'], grace: 105_000 });
    expect(draftOf(withLogging(waiting()), more).swap?.only).toEqual(['sidecar']);
  });

  it('is unfit where the program lies in a volume; the other sidecar is swapped', () => {
    const program = { command: ['/tools/run'], mounts: ['/tools'] };
    const { targets, swap: left } = draftOf(withLogging(running, program), { swap: early });
    expect(left).toMatchObject({ method: 'ImageSwap', exitCode: 0, only: ['sidecar'] });
    const detail = '/tools/run is not in the image but in the volume at /tools';
    expect(targets).toMatchObject([
      { container: 'logging', unfit: [{ method: 'ImageSwap', reason: 'NoPath', detail }] },
      { container: 'sidecar', unfit: [] },
    ]);
  });

  it('is enough for a sidecar that nothing else can end', () => {
    const draft = draftOf(podView({ processNamespace: 'Node' }), { swap: early });
    expect(draft.targets).toMatchObject([{ kind: 'Planned', steps: [] }]);
    expect(draft.swap).toMatchObject({ method: 'ImageSwap' });
  });

  it('is left to the others by a sidecar that ends with 0 by itself, and whose program the image may lack', () => {
    const catalogue = [profileOf('logging', quit)];
    const draft = draftOf(withLogging(running, { command: ['/opt/own'] }), { swap: early, catalogue });
    expect(draft.swap).toMatchObject({ exitCode: 0, only: ['sidecar'] });
    const last = draftOf(draft.candidate.pod, { lastResort: specs(swap), catalogue });
    expect(last.lastResort).toMatchObject([{ exitCode: 0, only: ['sidecar'] }]);
    // Where nothing is known of the image, nothing is gained.
    const [unsaid] = specs({ imageSwap: { image: 'noop:1' } });
    expect(draftOf(withLogging(running), { swap: unsaid, catalogue }).swap?.only).toBeUndefined();
  });

  it('is of each sidecar for its own image: nothing says how another sidecar ends in that', () => {
    const swapFor = (image: string) => ({ imageSwap: { image, commands: ['/opt/own'] } });
    const profiles = [profileOf('sidecar', swapFor('noop-a:1')), profileOf('logging', swapFor('noop-b:1'))];
    const pod = withLogging(running, { command: ['/opt/own'] });
    const draft = draftOf(pod, { catalogue: profiles });
    expect(draft.lastResort).toMatchObject([
      { image: 'noop-b:1', exitCode: 0, only: ['logging'], grace: 105_000 },
      { image: 'noop-a:1', exitCode: 0, only: ['sidecar'], grace: 105_000 },
    ]);
    const { lastResort, swap: both } = draftOf(pod, { catalogue: profiles.slice(0, 1), swap: early });
    expect(lastResort).toMatchObject([{ image: 'noop-a:1', exitCode: 0, only: ['sidecar'] }]);
    expect(both?.only).toBeUndefined();
  });
});

it('a sidecar that the kubelet is about to start again has not ended for good', () => {
  const another = (restarts: Partial<ContainerView>, exitCode: number) =>
    draftOf(withLogging(exited(exitCode), restarts)).targets[0];
  const skipped = { kind: 'Skipped', reason: { kind: 'NotRunning', state: 'Terminated' } };
  expect(another({ restartPolicy: 'OnFailure' }, 1)).toMatchObject({ kind: 'Skipped', outcome: skipped });
  // Recorded: container-restarts-always-swap.
  expect(another({ restartPolicy: 'Always' }, 0)).toMatchObject({ kind: 'Skipped', outcome: skipped });
  const ended = { kind: 'AlreadyEnded', exitCode: 0 };
  expect(another({ restartPolicy: 'OnFailure' }, 0)).toMatchObject({ outcome: ended });
});

describe('a sidecar that is restarted however it ends', () => {
  const detail = 'the kubelet restarts this container even if it exits with 0';
  const unfit = (method: string) => ({ method, reason: 'RestartsAlways', detail });
  // A rule that matches 0 restarts it even after a clean end.
  // biome-ignore format: one row a line
  it.each<readonly [title: string, Partial<ContainerView>]>([
    ['by its own restartPolicy', { restartPolicy: 'Always' }],
    ['by a rule that matches 0', { restartPolicy: 'Never', restartRules: [{ action: 'Restart', operator: 'In', exitCodes: [0] }] }],
  ])('%s gets only steps that end the pod', (_title, sidecar) => {
    const more = { ...knowing(quit), swap: early, lastResort: specs(swap, { evict: true }) };
    const draft = draftOf(podWithSidecar(sidecar), more);
    expect(draft).toMatchObject({ swap: undefined, lastResort: [{ method: 'Evict' }] });
    const all = ['Http', 'Signal', 'Signal', 'ImageSwap', 'ImageSwap'].map(unfit);
    expect(draft.targets).toMatchObject([{ kind: 'Planned', steps: [], unfit: all }]);
  });

  it('is skipped if no step may end the pod', () => {
    const draft = draftOf(podWithSidecar({ restartPolicy: 'Always' }), { swap: early });
    const outcome = { kind: 'Skipped', reason: { kind: 'RestartsAlways' } };
    const all = ['Signal', 'Signal', 'ImageSwap'].map(unfit);
    expect(draft.targets).toEqual([{ kind: 'Skipped', container: 'sidecar', turn: 0, outcome, unfit: all }]);
    expect(draft).toMatchObject({ swap: undefined, lastResort: [] });
  });

  it('does not keep another sidecar of the pod from being swapped', () => {
    const draft = draftOf(withLogging(running, { restartPolicy: 'Always' }), { swap: early });
    expect(draft.swap).toMatchObject({ only: ['sidecar'] });
    expect(draft.targets).toMatchObject([{ kind: 'Skipped' }, { kind: 'Planned' }]);
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, Partial<ContainerView>]>([
    ['only after a failure', { restartPolicy: 'OnFailure' }],
    ['never', { restartPolicy: 'Never' }],
    ['by a rule that does not match 0', { restartRules: [{ action: 'Restart', operator: 'In', exitCodes: [137, 143] }] }],
  ])('is another than one that is restarted %s', (_title, sidecar) => {
    expect(drafted(podWithSidecar(sidecar)).steps.map(({ method }) => method)).toEqual(['Signal', 'Signal']);
  });
});

describe('that a sidecar exits with 0', () => {
  const key = 'sidecar-sweeper.dev/exits-with-zero';
  const named = podView().annotations;
  const annotated = (value: string) => podView({ annotations: { ...named, [key]: value } });
  const ruled = (more: Partial<Rule>) => ({
    rules: [rule.parse({ name: 'r', containers: ['sidecar'], exitsWithZero: true, ...more })],
  });
  const denied = { rules: [...ruled({ exitsWithZero: false }).rules, ...ruled({}).rules] };
  const unsaid = { rules: [...ruled({ exitsWithZero: undefined }).rules, ...ruled({}).rules] };
  const unknown = [undefined, undefined] as const;

  it.each<
    readonly [string, PodView, Partial<Policy>, readonly [exitCode: number | undefined, string | undefined]]
  >([
    ['is not known by default', podView(), {}, unknown],
    ['is what its owner says', annotated('sidecar'), {}, [0, 'Owner']],
    ['is what its owner says of several', annotated('other, sidecar ,third'), {}, [0, 'Owner']],
    ['is not what its owner says of another', annotated('sidecar2'), {}, unknown],
    ['is what a rule says', podView(), ruled({}), [0, 'Policy']],
    ['is not what a rule says of another', podView(), ruled({ containers: ['other'] }), unknown],
    ['is not what a rule says of another namespace', podView(), ruled({ namespaces: ['other'] }), unknown],
    ['is what a rule says of its namespace', podView(), ruled({ namespaces: ['demo'] }), [0, 'Policy']],
    ['is what a rule says of its owner’s kind', podView(), ruled({ ownerKinds: ['Job'] }), [0, 'Policy']],
    ['is not what a rule does not say', podView(), ruled({ exitsWithZero: undefined }), unknown],
    ['is not what a rule denies before another says it', podView(), denied, unknown],
    ['is what a later rule says if the first does not', podView(), unsaid, [0, 'Policy']],
    ['is what its owner says before a rule', annotated('sidecar'), ruled({}), [0, 'Owner']],
  ])('%s', (_title, pod, more, expected) => {
    const [first] = drafted(pod, more).steps;
    expect([first?.exitCode, first?.promisedBy]).toEqual(expected);
  });

  it('says nothing of a step whose end is known, nor of those for the pod', () => {
    const lastResort = specs({ evict: true });
    const draft = draftOf(annotated('sidecar'), { ...knowing(quit), lastResort });
    const [target] = draft.targets;
    const own = target?.kind === 'Planned' ? target.steps : [];
    expect(promises([...own, ...draft.lastResort])).toEqual([
      ...[
        [0, 'Profile'],
        [0, 'Owner'],
      ],
      ...[
        [137, undefined],
        [137, undefined],
      ],
    ]);
  });
});
