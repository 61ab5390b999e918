import { describe, expect, it } from 'vitest';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { Unfit } from '../../../src/model/step.ts';
import { joinLadders, type Ladder, noLadder } from '../../../src/plan/ladder.ts';
import { ladder, source } from '../../builders/planned.ts';

describe('a ladder', () => {
  it('has the steps in the order in which they are written, whatever they end', () => {
    const kill = { command: ['kill', '-%d', '7'] };
    const swap = { imageSwap: { image: 'noop:1' } };
    const { steps, unfit } = ladder([{ evict: true }, { signal: ['TERM'] }, kill, swap]);
    expect(steps.map(({ method }) => method)).toEqual(['Evict', 'Signal', 'Command', 'Command', 'ImageSwap']);
    expect(unfit).toEqual([]);
  });

  it('says of each step where it comes from', () => {
    expect(ladder([{ signal: ['TERM'], exitCode: 143 }])).toEqual({
      steps: [{ method: 'Signal', signals: ['TERM'], source, grace: 30_000, exitCode: 143 }],
      unfit: [],
    });
  });

  it('gives a step the time that an end takes to show, if the pod has less', () => {
    const graceOf = (grace: number, one: object) => ladder([one], { grace }).steps.map((step) => step.grace);
    const expected = [[2_000], [2_000], [2_000], [2_001]];
    expect([0, 1_000, 2_000, 2_001].map((grace) => graceOf(grace, { signal: ['TERM'] }))).toEqual(expected);
    expect(graceOf(0, { signal: ['TERM'], grace: '0' })).toEqual([0]);
    expect(graceOf(0, { command: ['kill', '-%d', '1'] })).toEqual([2_000, 2_000]);
  });

  it.each<readonly [title: string, written: object, grace: number]>([
    ['the pod’s own grace period', {}, 47_000],
    ['what is written', { grace: '2m' }, 120_000],
    ['no time, if that is written', { grace: '0' }, 0],
  ])('gives a step %s', (_title, written, grace) => {
    const { steps } = ladder([{ signal: ['TERM'], ...written }], { grace: 47_000 });
    expect(steps).toMatchObject([{ grace }]);
  });

  it.each<readonly [written: object, more: number]>([
    [{ deadline: true }, 15_000],
    [{ evict: true }, 15_000],
    [{ delete: true }, 15_000],
    // A swap may have to pull its image.
    [{ imageSwap: { image: 'noop:1' } }, 75_000],
  ])('gives a step that the kubelet carries out more time: %j', (written, more) => {
    const graceOf = (one: object) => ladder([one], { grace: 47_000 }).steps.map(({ grace }) => grace);
    expect(graceOf(written)).toEqual([47_000 + more]);
    expect(graceOf({ ...written, grace: '1s' })).toEqual([1_000 + more]);
  });
});

describe('a step is left out', () => {
  const signs = [{ argument: '--quitquitquit' }, { env: 'QUIT', value: 'true' }];
  const unless = [{ annotation: 'a/b' }, { env: 'TOKEN' }];
  const annotated = { http: { port: { annotation: 'port' }, path: '/' } };

  // biome-ignore format: one row a line
  it.each<readonly [title: string, written: object, pod: Partial<PodView>, sidecar: Partial<ContainerView>, Unfit]>([
    ['if the pod shows none of the signs that it needs', { signal: ['TERM'], when: signs }, {}, {}, { method: 'Signal', reason: 'NotShown', detail: 'no argument --quitquitquit, no variable QUIT=true' }],
    // The name is enough: a value may be a secret.
    ['if the pod shows one of the signs that rule it out', { signal: ['TERM'], unless }, {}, { env: { TOKEN: 'secret' } }, { method: 'Signal', reason: 'ShownOtherwise', detail: 'variable TOKEN' }],
    ['if a sign may rule it out whose value is not known', { signal: ['TERM'], unless: [{ argument: '--port' }] }, {}, { args: ['--port=$(PORT)'] }, { method: 'Signal', reason: 'ShownOtherwise', detail: 'argument --port' }],
    ['by its method', annotated, { annotations: { port: '0' } }, {}, { method: 'Http', reason: 'Off', detail: 'the pod sets its port to 0' }],
    ['by its signs, before its method is asked', { ...annotated, when: [{ env: 'QUIT' }] }, { hostNetwork: true }, {}, { method: 'Http', reason: 'NotShown', detail: 'no variable QUIT' }],
  ])('%s', (_title, written, pod, sidecar, unfit) => {
    expect(ladder([written], pod, sidecar)).toEqual({ steps: [], unfit: [unfit] });
  });

  it('but not if the pod shows one of several signs, or none that rules it out', () => {
    const planned = { steps: [{ method: 'Signal' }], unfit: [] };
    expect(ladder([{ signal: ['TERM'], when: signs }], {}, { env: { QUIT: 'true' } })).toMatchObject(planned);
    expect(ladder([{ signal: ['TERM'], unless }])).toMatchObject(planned);
  });

  it('and the others are planned all the same', () => {
    const http = { port: { env: 'PORT' }, path: '/' };
    const { steps, unfit } = ladder([{ http }, { signal: ['TERM'] }, { evict: true }]);
    expect(steps.map(({ method }) => method)).toEqual(['Signal', 'Evict']);
    expect(unfit.map(({ method }) => method)).toEqual(['Http']);
  });
});

it('ladders are joined in their order', () => {
  const one = ladder([{ signal: ['INT'] }, { http: { port: { env: 'A' }, path: '/' } }]);
  const two = ladder([{ signal: ['TERM'] }, { http: { port: { env: 'B' }, path: '/' } }]);
  const expected: Ladder = { steps: [...one.steps, ...two.steps], unfit: [...one.unfit, ...two.unfit] };
  expect(joinLadders([one, noLadder, two])).toEqual(expected);
  expect(expected.steps).toHaveLength(2);
  expect(expected.unfit).toHaveLength(2);
  expect(joinLadders([])).toEqual({ steps: [], unfit: [] });
});
