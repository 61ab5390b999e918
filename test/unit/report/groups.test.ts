import { describe, expect, it } from 'vitest';
import { notesOnFound } from '../../../src/report/found.ts';
import { namesOf, type StuckSidecar, stuckSince, stuckTable } from '../../../src/report/groups.ts';
import { viewText } from '../../../src/report/view.ts';
import { hangs, warnings } from '../../builders/kinds.ts';
import { plain } from '../../builders/rendered.ts';
import { finished, listed, reportOf, started } from '../../builders/report.ts';

const few = { wide: false };
const all = { wide: true };
const asOf = '2026-11-21T04:00:00.000Z';

function stuck(
  name: string,
  more: Partial<StuckSidecar> = {},
  pod: Partial<StuckSidecar['pod']> = {},
): StuckSidecar {
  const requests = { cpu: 0, memory: 0 };
  const identity = { namespace: 'demo', name, mainsEndedAt: '2026-11-21T03:00:00.000Z', requests };
  return { pod: { ...identity, ...pod }, name: 'proxy', image: 'acme/proxy:1', what: 'stopped', ...more };
}

function rowsOf(sidecars: readonly StuckSidecar[], extent = few): readonly string[] {
  const table = stuckTable(sidecars, { what: 'OUTCOME' }, asOf, extent);
  return viewText({ sections: [[table]] }, plain)
    .trimEnd()
    .split('\n')
    .slice(1);
}

describe('sidecars', () => {
  it('are one row if container, image and outcome are alike, and else several', () => {
    const others = [{ name: 'log' }, { image: 'acme/proxy:2' }, { what: 'still running' }];
    const rows = rowsOf([stuck('a'), stuck('b'), ...others.map((more, index) => stuck(`c${index}`, more))]);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
      ['2', 'proxy', 'acme/proxy:1', 'stopped'],
      ['1', 'log', 'acme/proxy:1', 'stopped'],
      ['1', 'proxy', 'acme/proxy:2', 'stopped'],
      ['1', 'proxy', 'acme/proxy:1', 'still running'],
    ]);
  });

  it('are alike if their messages name the pods, and only the messages differ', () => {
    const refused = (name: string) => stuck(name, { what: `refused: pods "${name}"`, kind: 'Refused' });
    expect(rowsOf([refused('a'), refused('b')])).toEqual([expect.stringMatching(/^2 .* refused: pods "a" /)]);
  });

  it('come with the worst kind first, and of each the pods that have been stuck longest', () => {
    const red = { what: { look: 'red', text: 'still running' } } as const;
    const old = stuck('old', red, { mainsEndedAt: '2026-11-20T04:00:00.000Z' });
    const rows = rowsOf([stuck('a'), stuck('b'), stuck('young', red), old, stuck('c')]);
    expect(rows[0]).toMatch(/^2 .* still running +1d +demo\/old, demo\/young$/);
    expect(rows[1]).toMatch(/^3 .* stopped +1h +demo\/a, demo\/b, demo\/c$/);
  });

  it('of a pod with two that are alike count once, with what the pod requests', () => {
    const one = stuck('a', {}, { requests: { cpu: 0.25, memory: 2 ** 27 } });
    const both = [one, { ...one }];
    expect(rowsOf(both)[0]).toMatch(/^1 .* 250m +128Mi +demo\/a$/);
    const each = rowsOf(both, all);
    expect(each[0]).toContain('250m');
    expect(each[1]).not.toContain('250m');
  });

  it('of one owner name it, and of several count them', () => {
    const of = (name: string, kind = 'Job') => stuck(name, {}, { owner: { kind, name } });
    expect(rowsOf([of('a')])[0]).toContain('Job/a');
    expect(rowsOf([of('a'), of('b'), of('c', 'Workflow')])[0]).toContain('2 Jobs, 1 Workflow');
  });

  it('of sixty kinds are the worst twelve, and how many more there are', () => {
    const kinds = Array.from({ length: 60 }, (_, number) => stuck('a', { name: `proxy-${number}` }));
    expect(rowsOf(kinds)).toHaveLength(13);
    expect(rowsOf(kinds).at(-1)).toBe('and 48 more (-o wide)');
    expect(rowsOf(kinds, all)).toHaveLength(60);
  });
});

it('an owner may have more stuck pods than a function takes arguments', () => {
  const pods = Array.from({ length: 130_000 }, (_, number) => ({ mainsEndedAt: 1_000_000 - number }));
  expect(stuckSince(pods)).toBe(870_001);
});

it('three pods are named, and the others counted', () => {
  const pods = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ namespace: 'jobs', name }));
  expect(namesOf(pods.slice(0, 3), few)).toBe('jobs/a, jobs/b, jobs/c');
  expect(namesOf(pods, few)).toBe('jobs/a, jobs/b, jobs/c and 2 more');
  expect(namesOf(pods, all)).toBe('jobs/a, jobs/b, jobs/c, jobs/d, jobs/e');
  expect(namesOf([...pods.slice(0, 1), ...pods.slice(0, 1)], few)).toBe('jobs/a');
});

describe('what was found besides stuck pods', () => {
  const report = reportOf(started(), ...listed(), finished);
  const found = { ...report, asOf };
  const waiting = (name: string, mainsEndedAt = '2026-11-21T03:00:00.000Z') => ({
    ...{ namespace: 'demo', name, uid: name, mainsEndedAt, requests: { cpu: 0, memory: 0 } },
    waiting: [{ name: 'proxy', image: 'acme/proxy:1', reason: 'ImagePullBackOff' }],
  });

  it('is one sentence for all that is alike', () => {
    const neverStarted = [waiting('a'), waiting('b', '2026-11-21T02:00:00.000Z'), waiting('c'), waiting('d')];
    const { MainNotRestarted } = hangs;
    const hang = { hang: MainNotRestarted, since: '2026-11-21T03:30:00.000Z' };
    const hanging = ['x', 'y'].map((name) => ({ namespace: 'demo', name, ...hang }));
    const undecided = [{ namespace: 'demo', name: 'odd', problem: 'no containers' }];
    const others = { notStartedAgain: [waiting('e')], hanging, undecided };
    const lines = notesOnFound({ ...found, neverStarted, ...others }, few);
    expect(lines).toEqual([
      '1 pod cannot be judged: no containers: demo/odd; see explain --reason Undecided',
      '4 pods stuck on a sidecar that never started, for up to 2h: proxy (acme/proxy:1) is waiting: ImagePullBackOff: demo/b, demo/a, demo/c and 1 more; see explain --reason NeverStarted',
      '1 pod stuck on a sidecar that ended and cannot start again, for 1h: proxy has ended, and acme/proxy:1 does not start: ImagePullBackOff: demo/e; see explain --reason NotStartedAgain',
      expect.stringMatching(
        /^2 pods hanging, for up to 30m: .*: demo\/x, demo\/y; see explain --reason MainNotRestarted$/,
      ),
    ]);
  });

  it('has three warnings of a kind', () => {
    const harmed = [0, 1, 2, 3, 4].map((number) => ({ ...warnings.JobHarmed, name: `pod-${number}` }));
    const lines = notesOnFound({ ...found, warnings: harmed }, few);
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toBe('warning: and 2 more like that (-o wide)');
    expect(notesOnFound({ ...found, warnings: harmed }, all)).toHaveLength(5);
  });
});
