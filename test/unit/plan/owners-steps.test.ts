import { describe, expect, it } from 'vitest';
import type { Policy } from '../../../src/vocabulary.ts';
import { known, planned, planOf, specs, targetsOf } from '../../builders/planned.ts';
import { podView } from '../../builders/pod-view.ts';

const key = 'sidecar-sweeper.dev/steps-sidecar';
const any: Partial<Policy> = { annotationCommands: { kind: 'Any' } };
const quit = { http: { method: 'POST', port: 9001, path: '/quit' }, exitCode: 0 };
const swap = { imageSwap: { image: 'registry.example/noop:1' } };

const withSteps = (value: unknown, more: Readonly<Record<string, string>> = {}) =>
  podView({
    annotations: { [key]: typeof value === 'string' ? value : JSON.stringify(value), ...more },
  });

describe('steps in an annotation', () => {
  it('come before all others, in their order, in the words of a policy', () => {
    const written = [quit, { signal: ['QUIT'], grace: '5s' }, { command: ['/app/quit'] }];
    expect(planned(withSteps(written), any).steps).toMatchObject([
      { method: 'Http', request: { port: 9001, path: '/quit' }, exitCode: 0 },
      { method: 'Signal', signals: ['QUIT'], grace: 5_000 },
      { method: 'Command', command: ['/app/quit'], source: { kind: 'Annotation', key } },
      { method: 'Signal', signals: ['TERM'], source: { kind: 'Default' } },
      { method: 'Signal', signals: ['KILL'] },
    ]);
  });

  it('give way to a kill command, which says the same in fewer words', () => {
    const pod = withSteps([quit], { 'sidecar-sweeper.dev/kill-cmd-sidecar': '["/app/quit"]' });
    expect(planned(pod, any).steps.map(({ method }) => method)).toEqual(['Command', 'Signal', 'Signal']);
  });

  it.each([
    ['not JSON', 'not JSON'],
    ['{}', 'no list of steps: the list: Invalid input: expected array, received object'],
    ['[]', 'no list of steps'],
    ['[{"htpp": {"port": 1, "path": "/quit"}}]', 'there is no such field: htpp'],
    ['[{"http": {"port": 0, "path": "/quit"}}]', '0.http.port'],
    [`["${'x'.repeat(4096)}"]`, 'longer than 4096 bytes'],
  ])('that cannot be read mean that nothing at all is sent: %s', (written, problem) => {
    expect(targetsOf(withSteps(written), any)).toMatchObject([
      {
        kind: 'Skipped',
        outcome: { reason: { kind: 'BadKillCommand', key, problem: expect.stringContaining(problem) } },
      },
    ]);
  });

  it('are left out where annotation commands are off', () => {
    const { steps, unfit } = planned(withSteps([quit]), { annotationCommands: { kind: 'Off' } });
    expect(steps.map(({ method }) => method)).toEqual(['Signal', 'Signal']);
    expect(unfit).toMatchObject([{ reason: 'NotAllowed', detail: expect.stringContaining(key) }]);
  });
});

describe('by default, of steps in an annotation', () => {
  const refused = [{ kind: 'Skipped', outcome: { reason: { kind: 'CommandNotAllowed', key } } }];

  it.each([
    ['a signal', { signal: ['QUIT'] }],
    ['a command that is on the allowlist', { command: ['sh', '-c', 'kill -%d 1'] }],
    ['a request that the catalogue knows', { http: { method: 'POST', port: 15_020, path: '/quitquitquit' } }],
  ])('%s is admitted', (_name, written) => {
    expect(planned(withSteps([written])).steps[0]).toMatchObject({ source: { kind: 'Annotation', key } });
  });

  it.each([
    ['a command that is not on the allowlist', { command: ['/app/quit'] }],
    ['a request that no profile makes', quit],
    ['a request by another method', { http: { method: 'DELETE', port: 15_020, path: '/quitquitquit' } }],
    ['a file that no profile writes', { tombstone: { path: '/etc/passwd' } }],
  ])('%s is refused, and nothing at all is sent', (_name, written) => {
    expect(targetsOf(withSteps([written]))).toMatchObject(refused);
  });

  it('one that is refused takes the others with it', () => {
    expect(targetsOf(withSteps([{ signal: ['QUIT'] }, { command: ['/app/quit'] }]))).toMatchObject(refused);
  });

  it('what a profile of the policy does is admitted as well', () => {
    expect(planned(withSteps([quit]), known(quit)).steps[0]).toMatchObject({ method: 'Http' });
  });
});

describe('what is done to the whole pod', () => {
  it('is for the operator to allow, not for an annotation', () => {
    const pod = withSteps([{ imageSwap: { image: 'evil.example/miner:1' } }, { delete: true }]);
    const { lastResort, targets } = planOf(pod, any);
    expect(lastResort).toEqual([]);
    expect(targets).toMatchObject([
      {
        unfit: [
          { method: 'ImageSwap', reason: 'NotAllowed' },
          { method: 'Delete', reason: 'NotAllowed' },
        ],
      },
    ]);
  });

  it('is done with the operator’s image', () => {
    const pod = withSteps([{ imageSwap: { image: 'evil.example/miner:1' } }]);
    const { lastResort } = planOf(pod, { ...any, lastResort: specs(swap) });
    expect(lastResort).toMatchObject([{ method: 'ImageSwap', image: 'registry.example/noop:1' }]);
  });
});
