import { describe, expect, it } from 'vitest';
import type { SkipReason } from '../../../src/model/outcome.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { Unfit } from '../../../src/model/step.ts';
import { ownersSteps } from '../../../src/plan/owners-steps.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { argoKey, knowing, specs, withKillCommand } from '../../builders/planned.ts';
import { container, podView, running } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

const ownKey = 'sidecar-sweeper.dev/kill-cmd-sidecar';
const key = 'sidecar-sweeper.dev/steps-sidecar';
const any: Partial<Policy> = { annotationCommands: { kind: 'Any' } };
const off: Partial<Policy> = { annotationCommands: { kind: 'Off' } };
const quit = { http: { method: 'POST', port: 9001, path: '/quit' }, exitCode: 0 };

function asked(pod: PodView, more: Partial<Policy> = {}) {
  return ownersSteps({ pod, container: container('sidecar', running) }, policy(more));
}

/** The same where it is steps. */
function ladderOf(pod: PodView, more: Partial<Policy> = {}) {
  const owners = asked(pod, more);
  if (owners.kind === 'Skip') expect.fail(`skipped: ${JSON.stringify(owners.reason)}`);
  return owners.ladder;
}

function withSteps(value: unknown, more: Readonly<Record<string, string>> = {}): PodView {
  const written = typeof value === 'string' ? value : JSON.stringify(value);
  return podView({ annotations: { [key]: written, ...more } });
}

function skip(reason: SkipReason, unfit: readonly Unfit[] = []) {
  return { kind: 'Skip', reason, unfit };
}

/** Nothing is tried, because of these steps. */
function refused(inKey: string, ...steps: readonly (readonly [method: Unfit['method'], words: string])[]) {
  const unfit = steps.map(([method, words]): Unfit => {
    const detail = `${inKey}: neither the allowlist, the catalogue nor the policy has exactly this: ${words}`;
    return { method, reason: 'NotAllowed', detail };
  });
  return skip({ kind: 'CommandNotAllowed', key: inKey }, unfit);
}

function leftOut(reason: Unfit['reason'], detail: string) {
  return { kind: 'Steps', ladder: { steps: [], unfit: [{ method: 'Command', reason, detail }] } };
}

const areOff = 'annotation commands are off';
const common = { method: 'Command', grace: 30_000, exitCode: undefined } as const;

describe('a kill command', () => {
  it('becomes one step if it does not name the signal', () => {
    const words = ['pilot-agent', 'request', 'POST', 'quitquitquit'];
    const steps = [{ ...common, command: words, source: { kind: 'Annotation', key: argoKey } }];
    const expected = { kind: 'Steps', ladder: { steps, unfit: [] } };
    expect(asked(withKillCommand(JSON.stringify(words)))).toEqual(expected);
  });

  it('becomes TERM and then KILL if it names the signal', () => {
    const annotated = { ...common, source: { kind: 'Annotation', key: argoKey } };
    expect(ladderOf(withKillCommand('["sh", "-c", "kill -%d 1"]')).steps).toEqual([
      { ...annotated, command: ['sh', '-c', 'kill -15 1'] },
      { ...annotated, command: ['sh', '-c', 'kill -9 1'], kills: true, grace: 5_000 },
    ]);
  });

  it('counts for the container that its key names alone, as steps do', () => {
    const steps = { 'sidecar-sweeper.dev/steps-main': JSON.stringify([quit]) };
    const pod = podView({
      annotations: { 'sidecar-sweeper.dev/kill-cmd-main': '["pkill", "own"]', ...steps },
    });
    expect(pod.containers.map(({ name }) => name)).toContain('main');
    expect(ladderOf(pod, any)).toEqual({ steps: [], unfit: [] });
  });

  const bad = skip({ kind: 'BadKillCommand', key: argoKey, problem: 'not JSON' });
  const one = (command: readonly string[], key: string) => {
    const steps = [{ ...common, command, source: { kind: 'Annotation', key } }];
    return { kind: 'Steps', ladder: { steps, unfit: [] } };
  };
  const bothKeys = podView({ annotations: { [argoKey]: '["pkill", "argo"]', [ownKey]: '["pkill", "own"]' } });
  const ofOther = podView({ annotations: { 'workflows.argoproj.io/kill-cmd-sidecar-2': '["pkill", "x"]' } });
  const isOff = leftOut('NotAllowed', `${argoKey}: ${areOff}`);

  // biome-ignore format: one row a line
  it.each<readonly [title: string, PodView, Partial<Policy>, expected: object]>([
    ['is taken from our own key before Argo’s', bothKeys, {}, one(['pkill', 'own'], ownKey)],
    ['for another container is not this one’s', ofOther, {}, { kind: 'Steps', ladder: { steps: [], unfit: [] } }],
    ['that cannot be read means that nothing is tried: the owner asked for something else', withKillCommand('kill 1'), {}, bad],
    ['that cannot be read means so if the policy says any', withKillCommand('kill 1'), any, bad],
    ['that is not on the allowlist means that nothing is tried', withKillCommand('["rm", "-rf", "/"]'), {}, refused(argoKey, ['Command', 'rm -rf /'])],
    ['may be anything if the policy says any', withKillCommand('["/app/quit", "--now"]'), any, one(['/app/quit', '--now'], argoKey)],
    ['is left out if the policy says off', withKillCommand('["pkill", "x"]'), off, isOff],
    ['is not even read then', withKillCommand('kill 1'), off, isOff],
  ])('%s', (_title, pod, more, expected) => {
    expect(asked(pod, more)).toEqual(expected);
  });
});

describe('in a pod whose containers share a process namespace, a kill command', () => {
  const shared = (...words: readonly string[]) =>
    asked(withKillCommand(JSON.stringify(words), { processNamespace: 'Pod' }), any);

  it('is left out if it signals PID 1, whose end would be the end of the pod', () => {
    const detail = 'PID 1 is the pause container; ending it ends the pod';
    expect(shared('sh', '-c', 'kill -%d 1')).toEqual(leftOut('ShownOtherwise', detail));
  });

  it.each([
    [['pkill', '-f', '/usr/local/bin/pilot-agent']],
    [['sh', '-c', 'kill -9 $(pidof entrypoint.sh)']],
    [['quit', '1']],
  ])('is planned if it is any other: %j', (words) => {
    expect(shared(...words)).toMatchObject({ ladder: { steps: [{ command: words }], unfit: [] } });
  });
});

describe('in a pod that sees the node’s processes, a kill command', () => {
  it.each([['kill', '-9', '1'], ['/app/quit']])(
    'is not run: it may signal the init process of the node: %s',
    (...words) => {
      const pod = withKillCommand(JSON.stringify(words), { processNamespace: 'Node' });
      const unfit = [{ method: 'Command', reason: 'SeesTheNode', detail: 'hostPID' }];
      expect(asked(pod, any)).toEqual({ kind: 'Steps', ladder: { steps: [], unfit } });
    },
  );
});

describe('steps in an annotation', () => {
  const source = { kind: 'Annotation', key } as const;

  it('are read in the words of a policy, in their order', () => {
    const written = [quit, { signal: ['QUIT'], grace: '5s' }, { command: ['/app/quit'] }];
    const request = { ...quit.http, headers: {}, statuses: [] };
    expect(ladderOf(withSteps(written), any)).toEqual({
      steps: [
        { method: 'Http', request, source, grace: 30_000, exitCode: 0, promisedBy: 'Owner' },
        { method: 'Signal', signals: ['QUIT'], source, grace: 5_000, exitCode: undefined },
        { ...common, command: ['/app/quit'], source },
      ],
      unfit: [],
    });
  });

  it('are left out, each with its reason, if they cannot work', () => {
    const pod = { ...withSteps([quit, { signal: ['QUIT'] }]), hostNetwork: true };
    expect(ladderOf(pod, any)).toMatchObject({
      steps: [{ method: 'Signal' }],
      unfit: [{ method: 'Http', reason: 'SeesTheNode', detail: 'hostNetwork' }],
    });
  });

  it('give way to a kill command', () => {
    const pod = withSteps([quit], { [ownKey]: '["/app/quit"]' });
    expect(ladderOf(pod, any).steps.map(({ method }) => method)).toEqual(['Command']);
  });

  // biome-ignore format: one row a line
  it.each([
    ['not JSON', 'not JSON'],
    ['{}', 'not a list of steps: the list: Invalid input: expected array, received object'],
    ['[]', 'not a list of steps: the list: Too small: expected array to have >=1 items'],
    ['[{"htpp": {"port": 1, "path": "/quit"}}]', 'not a list of steps: 0: unknown field: htpp'],
    ['[{"http": {"port": 0, "path": "/quit"}}]', 'not a list of steps: 0.http.port: Too small: expected number to be >=1'],
    [JSON.stringify([{ own: {} }]), 'not a list of steps: 0: unknown field: own'],
    [`["${'x'.repeat(4096)}"]`, 'longer than 4096 bytes'],
  ])('that cannot be read mean that nothing is tried: %.60s', (written, problem) => {
    expect(asked(withSteps(written), any)).toEqual(skip({ kind: 'BadKillCommand', key, problem }));
  });

  it('are left out if annotation commands are off', () => {
    expect(asked(withSteps([quit]), off)).toEqual(leftOut('NotAllowed', `${key}: ${areOff}`));
  });
});

describe('by default, steps in an annotation', () => {
  it.each([
    ['a signal', { signal: ['QUIT'] }],
    ['a command that is on the allowlist', { command: ['sh', '-c', 'kill -9 $(pidof x)'] }],
    ['a request that the catalogue makes', { http: { method: 'POST', port: 15_020, path: '/quitquitquit' } }],
  ])('may be %s', (_title, written) => {
    const patterns = [['sh', '-c', 'kill -9 $(pidof <word>)']];
    const allowlist: Partial<Policy> = { annotationCommands: { kind: 'Allowlist', patterns } };
    const { steps } = ladderOf(withSteps([written]), allowlist);
    expect(steps).toMatchObject([{ source: { kind: 'Annotation', key } }]);
  });

  // biome-ignore format: one row a line
  it.each([
    ['a command that is not on the allowlist', { command: ['/app/quit'] }, 'Command', '/app/quit'],
    ['a request that no profile makes', quit, 'Http', 'POST :9001/quit'],
    ['a request by another method', { http: { method: 'DELETE', port: 15_020, path: '/quitquitquit' } }, 'Http', 'DELETE :15020/quitquitquit'],
    ['a request to a port that no profile has', { http: { port: 6_379, path: '/quitquitquit' } }, 'Http', 'POST :6379/quitquitquit'],
    ['a request with headers of its own', { http: { port: 15_020, path: '/quitquitquit', headers: { host: 'metadata' } } }, 'Http', 'POST :15020/quitquitquit'],
    ['a signal that no profile sends', { signal: ['HUP'] }, 'Signal', 'signal HUP'],
  ])('may not be %s; then nothing is tried, and the step says why', (_title, written, method, words) => {
    expect(asked(withSteps([written]))).toEqual(refused(key, [method, words]));
    expect(asked(withSteps([written]), any)).toMatchObject({ kind: 'Steps', ladder: { unfit: [] } });
  });

  it('are refused together if one of them is refused', () => {
    expect(asked(withSteps([{ signal: ['QUIT'] }, { command: ['/app/quit'] }]))).toEqual(
      refused(key, ['Command', '/app/quit']),
    );
  });

  it('may be what a profile of the policy does', () => {
    expect(ladderOf(withSteps([quit]), knowing(quit)).steps).toMatchObject([{ method: 'Http' }]);
  });
});

describe('steps for the whole pod', () => {
  const evil = { imageSwap: { image: 'evil.example/miner:1' } };

  it('are left out unless the operator has them as a last resort', () => {
    const pod = withSteps([evil, { delete: true }, quit]);
    const detail = `${key}: not a last resort of this sweep`;
    expect(ladderOf({ ...pod, hostNetwork: true }, any)).toEqual({
      steps: [],
      unfit: [
        { method: 'ImageSwap', reason: 'NotAllowed', detail },
        { method: 'Delete', reason: 'NotAllowed', detail },
        { method: 'Http', reason: 'SeesTheNode', detail: 'hostNetwork' },
      ],
    });
  });

  it('are taken with the operator’s image', () => {
    const lastResort = specs({ evict: true }, { imageSwap: { image: 'registry.example/noop:1' } });
    expect(ladderOf(withSteps([evil]), { ...any, lastResort })).toMatchObject({
      steps: [{ method: 'ImageSwap', image: 'registry.example/noop:1', source: { kind: 'Annotation', key } }],
      unfit: [],
    });
  });

  it('may be the image swap that the operator allows before uncertain steps: the sweep plans it anyway', () => {
    const [swap] = specs({ imageSwap: { image: 'registry.example/noop:1' } });
    const { steps: asked, unfit } = ladderOf(withSteps([evil, quit]), { ...any, swap });
    expect(asked.map(({ method }) => method)).toEqual(['Http']);
    expect(unfit).toEqual([]);
  });
});
