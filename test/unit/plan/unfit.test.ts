import { describe, expect, it } from 'vitest';
import type { ContainerView, PodView, Unfit } from '../../../src/vocabulary.ts';
import { ladder } from '../../builders/planned.ts';

/** Why the only written step is not planned; nothing may be planned in its place. */
function unfit(written: unknown, pod: Partial<PodView> = {}, sidecar: Partial<ContainerView> = {}): Unfit {
  const { container: steps, pod: podSteps, unfit } = ladder([written], pod, sidecar);
  expect([...steps, ...podSteps]).toEqual([]);
  const [only] = unfit;
  if (!only || unfit.length > 1) expect.fail(`one reason was expected: ${JSON.stringify(unfit)}`);
  return only;
}

describe('a step is not planned', () => {
  it('when the pod does not show what it needs', () => {
    const when = [{ argument: '--quitquitquit' }, { env: 'QUIT', value: 'true' }];
    expect(unfit({ signal: ['TERM'], when })).toEqual({
      method: 'Signal',
      reason: 'NotShown',
      detail: 'no argument --quitquitquit, no variable QUIT=true',
    });
    const shown = ladder([{ signal: ['TERM'], when }], {}, { env: { QUIT: 'true' } });
    expect(shown).toMatchObject({ container: [{ method: 'Signal' }], unfit: [] });
  });

  it('when the pod shows what rules it out', () => {
    const unless = [{ annotation: 'a/b' }, { env: 'TOKEN' }];
    expect(unfit({ signal: ['TERM'], unless }, {}, { env: { TOKEN: 'secret' } })).toEqual({
      method: 'Signal',
      reason: 'ShownOtherwise',
      // The name is enough: a value may be a secret.
      detail: 'variable TOKEN',
    });
    expect(ladder([{ signal: ['TERM'], unless }]).container).toHaveLength(1);
  });

  it('when the pod says that its endpoint is off', () => {
    const written = { http: { port: { annotation: 'port', default: 15_020 }, path: '/' } };
    expect(unfit(written, { annotations: { port: '0' } })).toMatchObject({ method: 'Http', reason: 'Off' });
  });

  it('when the pod does not tell the port of its endpoint', () => {
    const written = { http: { port: { env: 'PORT' }, path: '/' } };
    expect(unfit(written)).toMatchObject({ method: 'Http', reason: 'Off' });
    expect(unfit(written, {}, { env: { PORT: 'auto' } }).detail).toContain('auto');
  });

  it('when its path names a variable that is not set, Object.prototype’s included', () => {
    for (const path of ['$(GRAVEYARD)/main', '/g/$(toString)', '/$(__proto__)']) {
      expect(unfit({ tombstone: { path } })).toMatchObject({ method: 'Tombstone', reason: 'NoPath' });
    }
  });

  it('by http when the pod’s loopback is the node’s', () => {
    const written = { http: { port: 15_020, path: '/' } };
    expect(unfit(written, { hostNetwork: true })).toEqual({
      method: 'Http',
      reason: 'SeesTheNode',
      detail: 'hostNetwork',
    });
  });

  it('as a signal when the pod sees the node’s processes', () => {
    expect(unfit({ signal: ['TERM'] }, { processNamespace: 'Node' })).toEqual({
      method: 'Signal',
      reason: 'SeesTheNode',
      detail: 'hostPID',
    });
    expect(ladder([{ signal: ['TERM'] }], { processNamespace: 'Pod' }).container).toHaveLength(1);
  });

  it.each<readonly [title: string, written: unknown]>([
    ['a kill of PID 1', { command: ['/busybox/sh', '-c', 'kill -%d 1'] }],
    ['pkill, which would find those of other pods', { command: ['pkill', '-f', 'pilot-agent'] }],
    ['an ephemeral container', { ephemeralContainer: { image: 'busybox:1' } }],
  ])('when it would signal the node’s processes: %s', (_title, written) => {
    expect(unfit(written, { processNamespace: 'Node' })).toMatchObject({ reason: 'SeesTheNode' });
  });

  it.each<readonly [title: string, written: unknown]>([
    ['a command', { command: ['/busybox/sh', '-c', 'kill -%d 1'] }],
    ['an ephemeral container', { ephemeralContainer: { image: 'busybox:1' } }],
  ])('when it would end the whole pod with its pause process, as PID 1 is that: %s', (_title, written) => {
    expect(ladder([written], { processNamespace: 'Pod' })).toMatchObject({ container: [], pod: [] });
  });

  it('and those after it are planned all the same', () => {
    const written = [{ http: { port: { env: 'PORT' }, path: '/' } }, { signal: ['TERM'] }, { evict: true }];
    const { container: steps, pod, unfit } = ladder(written);
    expect([...steps, ...pod, ...unfit].map(({ method }) => method)).toEqual(['Signal', 'Evict', 'Http']);
  });
});

describe('the path of a tombstone', () => {
  const pathOf = (path: string, env: Readonly<Record<string, string>>) =>
    ladder([{ tombstone: { path } }], {}, { env }).container;

  it.each([
    ['$(GRAVEYARD)/$(NAME)', { GRAVEYARD: '/graveyard', NAME: 'main' }, '/graveyard/main'],
    ['/a/$(X)$(X)', { X: 'b' }, '/a/bb'],
    ['/a/$(X)', { X: '' }, '/a/'],
    // A value is a value: it is not expanded again.
    ['/a/$(X)', { X: '$(Y)', Y: 'no' }, '/a/$(Y)'],
    ['/a/$(X)', { X: "$& $' $1" }, "/a/$& $' $1"],
    ['/a/$X \u0024{X} $() $(1X) $(A-B)', {}, '/a/$X \u0024{X} $() $(1X) $(A-B)'],
  ])('%s with %j is %s', (path, env, expected) => {
    expect(pathOf(path, env)).toMatchObject([{ path: expected }]);
  });
});
