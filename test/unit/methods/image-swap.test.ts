import { describe, expect, it } from 'vitest';
import { imageSwap } from '../../../src/methods/image-swap.ts';
import { UsageError } from '../../../src/usage-error.ts';
import { steps } from '../../builders/plan.ts';
import { container, running } from '../../builders/pod-view.ts';
import { abort, common, pod, subject, writeRecipient } from './recipient.ts';

function spec(commands?: readonly string[]) {
  return imageSwap.written.parse({ imageSwap: { image: 'noop:1', ...(commands && { commands }) } });
}

describe('a written image swap', () => {
  it('has an image, and perhaps the programs of that image', () => {
    expect(spec()).toEqual({ method: 'ImageSwap', imageSwap: { image: 'noop:1' } });
    expect(spec(['/app'])).toEqual({
      method: 'ImageSwap',
      imageSwap: { image: 'noop:1', commands: ['/app'] },
    });
    for (const written of [{}, { image: '' }, { image: 'noop:1', command: ['/app'] }]) {
      expect(imageSwap.written.safeParse({ imageSwap: written }).success).toBe(false);
    }
  });

  it('reads by its image', () => {
    expect(imageSwap.describeSpec(spec())).toBe('swap the image for noop:1');
    expect(imageSwap.describe(steps.ImageSwap)).toBe('swap the image for noop:1');
  });

  it('takes its image from --noop-image if it is asked for by flag', () => {
    expect(imageSwap.fromFlag?.({ noopImage: 'noop:2' })).toEqual({ imageSwap: { image: 'noop:2' } });
    const withoutImage = () => imageSwap.fromFlag?.({ noopImage: undefined });
    expect(withoutImage).toThrow(new UsageError('--last-resort image-swap needs --noop-image'));
  });
});

it('no pod shows that it cannot work, and an annotation may ask for it', () => {
  expect(
    imageSwap.whyUnfit(spec(), subject({ processNamespace: 'Node', hostNetwork: true })),
  ).toBeUndefined();
  expect(imageSwap.isAdmitted(spec(), { patterns: [], known: [] })).toBe(true);
});

describe('a swapped container', () => {
  const stepsFor = (command: readonly string[] | undefined, commands?: readonly string[]) =>
    imageSwap.toSteps(spec(commands), { ...common, exitCode: 137 }, subject({}, { command }));

  it.each([[undefined], [['/bin/sh', '-c', 'exit 7']], [['envoy']]])(
    'ends with 0, whatever is written, if the image has its program: %j',
    (command) => {
      expect(stepsFor(command)).toEqual([
        { ...common, method: 'ImageSwap', image: 'noop:1', programs: undefined, exitCode: 0, grace: 45_000 },
      ]);
    },
  );

  it('ends with an unknown code if the image is not known to have its program', () => {
    expect(stepsFor(['/opt/agent'])).toMatchObject([{ exitCode: undefined }]);
    expect(stepsFor(['/bin/sh'], ['/opt/agent'])).toMatchObject([
      { exitCode: undefined, programs: ['/opt/agent'] },
    ]);
    expect(stepsFor(['/opt/agent'], ['/opt/agent'])).toMatchObject([{ exitCode: 0 }]);
  });

  it('is doubted to start in the same cases', () => {
    const doubt = (command: readonly string[] | undefined, programs?: readonly string[]) =>
      imageSwap.doubt?.({ ...steps.ImageSwap, programs }, container('sidecar', running, { command }));
    expect(doubt(['/opt/agent', '-v'])).toEqual({
      kind: 'NoopMayNotStart',
      noop: 'noop:1',
      image: 'docker.io/local/busybox:1',
      program: '/opt/agent',
      containers: 1,
    });
    expect(doubt(['/bin/sh'], ['/opt/agent'])).toMatchObject({ program: '/bin/sh' });
    expect(doubt(['/opt/agent'], ['/opt/agent'])).toBeUndefined();
    expect(doubt(['/bin/sh'])).toBeUndefined();
    expect(doubt(undefined)).toBeUndefined();
  });

  it('runs the new image afterwards', () => {
    expect(imageSwap.newImage?.(steps.ImageSwap)).toBe('noop:1');
  });
});

it('one write swaps the images of all sidecars', async () => {
  const { to, calls } = writeRecipient([], ['a', 'b']);
  expect(await imageSwap.send(steps.ImageSwap, to)).toEqual({ kind: 'Accepted' });
  const swaps = [
    { container: 'a', image: 'noop:1' },
    { container: 'b', image: 'noop:1' },
  ];
  expect(calls).toEqual([['swapImages', pod, swaps, abort]]);
});

it('a write that is rejected shows that the API server does not do this', async () => {
  const { to } = writeRecipient([{ kind: 'Rejected', message: 'is invalid' }]);
  expect(await imageSwap.send(steps.ImageSwap, to)).toEqual({ kind: 'Unsupported', message: 'is invalid' });
});
