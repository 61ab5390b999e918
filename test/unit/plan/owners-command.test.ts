import { describe, expect, it } from 'vitest';
import type { PodView, Policy } from '../../../src/vocabulary.ts';
import {
  argoKey,
  known,
  planned,
  planOf,
  specs,
  targetsOf,
  withKillCommand,
} from '../../builders/planned.ts';
import { podView } from '../../builders/pod-view.ts';

const ownKey = 'sidecar-sweeper.dev/kill-cmd-sidecar';
const quit = { http: { port: 15_020, path: '/quitquitquit' }, exitCode: 0 };
const swap = { imageSwap: { image: 'noop:1' } };

describe('the owner’s command', () => {
  const first = (pod: PodView, more: Partial<Policy> = {}) => planned(pod, more).steps[0];

  it('is sent once when it does not name the signal', () => {
    const { steps } = planned(withKillCommand('["pilot-agent", "request", "POST", "quitquitquit"]'));
    expect(steps).toMatchObject([
      { command: ['pilot-agent', 'request', 'POST', 'quitquitquit'], grace: 30_000 },
      { method: 'Signal' },
      { method: 'Signal' },
    ]);
  });

  it('is taken from our own key before Argo’s', () => {
    const pod = podView({ annotations: { [argoKey]: '["pkill", "argo"]', [ownKey]: '["pkill", "own"]' } });
    expect(first(pod)).toMatchObject({
      command: ['pkill', 'own'],
      source: { kind: 'Annotation', key: ownKey },
    });
  });

  it('is not another container’s', () => {
    const pod = podView({
      annotations: {
        'sidecar-sweeper.dev/sidecars': 'sidecar',
        'workflows.argoproj.io/kill-cmd-sidecar-2': '["pkill", "x"]',
      },
    });
    expect(first(pod)).toMatchObject({ method: 'Signal' });
  });

  it('that is a bad one means that nothing at all is sent: the owner asked for something else', () => {
    expect(targetsOf(withKillCommand('kill 1'), known(quit))).toEqual([
      {
        kind: 'Skipped',
        container: 'sidecar',
        outcome: { kind: 'Skipped', reason: { kind: 'BadKillCommand', key: argoKey, problem: 'not JSON' } },
      },
    ]);
  });

  it('that is not on the allowlist means that nothing at all is sent', () => {
    expect(targetsOf(withKillCommand('["rm", "-rf", "/"]'), known(quit))).toMatchObject([
      { kind: 'Skipped', outcome: { reason: { kind: 'CommandNotAllowed', key: argoKey } } },
    ]);
  });

  it('may be any, where the policy says so', () => {
    const any = { annotationCommands: { kind: 'Any' } } as const;
    expect(first(withKillCommand('["/app/quit", "--now"]'), any)).toMatchObject({
      command: ['/app/quit', '--now'],
    });
    expect(targetsOf(withKillCommand('quit'), any)).toMatchObject([
      { kind: 'Skipped', outcome: { reason: { kind: 'BadKillCommand' } } },
    ]);
  });

  it.each(['["pkill", "x"]', 'kill 1'])('is not even read where the policy says off: %s', (text) => {
    const { steps, unfit } = planned(withKillCommand(text), { annotationCommands: { kind: 'Off' } });
    expect(steps.map(({ method }) => method)).toEqual(['Signal', 'Signal']);
    expect(unfit).toMatchObject([
      { method: 'Command', reason: 'NotAllowed', detail: expect.stringContaining(argoKey) },
    ]);
  });
});

describe('in a pod whose containers share a process namespace', () => {
  const any = { annotationCommands: { kind: 'Any' } } as const;
  const shared = (...words: readonly string[]) =>
    planned(withKillCommand(JSON.stringify(words), { processNamespace: 'Pod' }), any);

  it.each([
    [['sh', '-c', 'kill -%d 1']],
    [['kill', '-%d', '1']],
    [['/bin/kill', '1']],
    [['sh', '-c', 'kill -%d 1 ']],
    [['sh', '-c', 'kill -s TERM 1']],
    [['sh', '-c', 'kill -%d 1; true']],
    [['sh', '-c', 'kill -%d 1 || true']],
    [['sh', '-c', 'kill -%d 1 2>/dev/null']],
    [['sh', '-c', '(kill -%d 1)']],
    [['kill', '-%d', '1', '7']],
    [['kill', '-%d', '--', '-1']],
    [['sh', '-c', 'kill -%d -1']],
    [['sh', '-c', 'sleep 1 && kill -TERM 1 && true']],
    [['sh', '-c', 'kill -%d "1"']],
    [['sh', '-c', "kill -%d '1'"]],
    [['sh', '-c', 'kill 7 1']],
  ])('a command that hits PID 1, which is pause and the end of the pod, is not sent: %j', (words) => {
    const { steps, unfit } = shared(...words);
    expect(steps.map(({ method }) => method)).toEqual(['Signal', 'Signal']);
    expect(unfit).toMatchObject([{ method: 'Command', reason: 'ShownOtherwise' }]);
  });

  it.each([
    [['pkill', '-f', '/usr/local/bin/pilot-agent']],
    [['sh', '-c', 'kill -%d $(pidof entrypoint.sh)']],
    [['kill', '-%d', '11']],
    [['sh', '-c', 'kill -1 7']],
    [['quit', '1']],
    [['sh', '-c', 'kill -s HUP 7; exit 1']],
    [['sh', '-c', 'kill -%d 7 || exit 1']],
  ])('any other is: %j', (words) => {
    expect(shared(...words).steps[0]).toMatchObject({ method: 'Command' });
  });
});

describe('in a pod that sees the node’s processes', () => {
  const onNode = { processNamespace: 'Node' } as const;

  it('no command of its own is sent, and nothing in its place', () => {
    expect(targetsOf(withKillCommand('["sh", "-c", "kill -%d 1"]', onNode), known(quit))).toMatchObject([
      { kind: 'Skipped', outcome: { kind: 'Skipped', reason: { kind: 'HostPID' } } },
    ]);
  });

  it('no signal is sent, but an endpoint is asked', () => {
    const { steps, unfit } = planned(podView(onNode), known(quit));
    expect(steps).toMatchObject([{ method: 'Http' }]);
    expect(unfit).toMatchObject([
      { method: 'Signal', reason: 'SeesTheNode' },
      { method: 'Signal', reason: 'SeesTheNode' },
    ]);
  });

  it('a last resort may still be all there is', () => {
    const more = { lastResort: specs(swap) };
    expect(planned(podView(onNode), more).steps).toEqual([]);
    expect(planOf(podView(onNode), more).lastResort).toMatchObject([{ method: 'ImageSwap' }]);
  });
});
