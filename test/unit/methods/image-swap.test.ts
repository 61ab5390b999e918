import { describe, expect, it } from 'vitest';
import { hasProgram, imageSwap } from '../../../src/methods/image-swap.ts';
import type { NoopPrograms } from '../../../src/model/image.ts';
import type { ContainerView } from '../../../src/model/pod.ts';
import { steps } from '../../builders/plan.ts';
import { abort, common, isStill, pod, subject, writeRecipient } from './recipient.ts';

function spec(commands?: NoopPrograms) {
  return imageSwap.written.parse({ imageSwap: { image: 'noop:1', ...(commands && { commands }) } });
}

describe('a written image swap', () => {
  it('has an image, and perhaps the programs of that image', () => {
    expect(spec()).toEqual({ method: 'ImageSwap', imageSwap: { image: 'noop:1' } });
    const expected = { method: 'ImageSwap', imageSwap: { image: 'noop:1', commands: ['/app'] } };
    expect(spec(['/app'])).toEqual(expected);
    expect(spec('shipped')).toMatchObject({ imageSwap: { commands: 'shipped' } });
    const wrong = [{ command: ['/app'] }, { commands: 'all' }, { commands: [''] }];
    for (const written of [{}, { image: '' }, ...wrong.map((more) => ({ image: 'noop:1', ...more }))]) {
      expect(imageSwap.written.safeParse({ imageSwap: written }).success).toBe(false);
    }
  });

  it('reads by its image', () => {
    expect(imageSwap.describeSpec(spec())).toBe('swap the image for noop:1');
    expect(imageSwap.describe(steps.ImageSwap)).toBe('swap the image for noop:1');
  });
});

it('no pod setting shows that it cannot work, and an annotation may ask for it', () => {
  expect(
    imageSwap.whyUnfit(spec(), subject({ processNamespace: 'Node', hostNetwork: true })),
  ).toBeUndefined();
  expect(imageSwap.isAdmitted(spec(), { patterns: [], known: [] })).toBe(true);
});

describe('a program in a volume goes on running, whatever the image:', () => {
  const unfit = (command: readonly string[] | undefined, ...mounts: readonly string[]) =>
    imageSwap.whyUnfit(spec('shipped'), subject({}, { command, mounts }));

  it.each<readonly [program: string, mount: string]>([
    ['/argo/bin/argoexec', '/argo'],
    ['/kubexit/kubexit', '/kubexit/'],
    ['/tekton/bin/entrypoint', '/tekton/bin'],
    ['/bin/sh', '/'],
    // A single file, mounted by its subPath.
    ['/entrypoint.sh', '/entrypoint.sh'],
    ['/tools/run', '/data/..//tools/'],
  ])('%s in the volume at %s', (program, mount) => {
    expect(unfit([program, '-v'], '/data', mount)).toEqual({
      reason: 'NoPath',
      detail: `${program} is not in the image but in the volume at ${mount}`,
    });
  });

  it('to the image that the container has already', () => {
    const swap = spec('shipped');
    const { image } = swap.imageSwap;
    const why = (ranImage?: string) => imageSwap.whyUnfit(swap, subject({}, { image, ranImage }));
    const detail = `the container has the image ${image} already`;
    for (const ran of [image, `docker.io/library/${image}`])
      expect(why(ran)).toEqual({ reason: 'NoPath', detail });
    expect(imageSwap.whyUnfit(swap, subject({}, { image: 'other:1', ranImage: image }))).toBeUndefined();
    // It may only have been asked for so far.
    const others = [undefined, 'sha256:0123', 'registry.example/tools:1', `registry.example/other-${image}`];
    expect(others.flatMap((one) => why(one) ?? [])).toEqual([]);
  });

  it.each<readonly [command: readonly string[] | undefined, mount: string]>([
    [undefined, '/argo'],
    [[], '/argo'],
    [['/argonaut/run'], '/argo'],
    [['/bin/sh', '/argo/run'], '/argo'],
    [['sh'], '/bin'],
  ])('but not %j in the volume at %s', (command, mount) => {
    expect(unfit(command, mount)).toBeUndefined();
  });
});

describe('a swapped container', () => {
  const stepsFor = (command: readonly string[] | undefined, commands?: NoopPrograms) =>
    imageSwap.toSteps(spec(commands), { ...common, exitCode: 137 }, subject({}, { command }));

  it.each([[undefined], [['/bin/sh', '-c', 'exit 7']], [['envoy']]])(
    'ends with 0, whatever is written, if the image is known to have its program: %j',
    (command) => {
      const clean = { exitCode: 0, promisedBy: 'NoopImage', grace: 105_000 };
      const step = { method: 'ImageSwap', image: 'noop:1', programs: 'shipped' };
      expect(stepsFor(command, 'shipped')).toEqual([{ ...common, ...step, ...clean }]);
    },
  );

  it('ends with an unknown code if the image is not known to have its program', () => {
    expect(stepsFor(['/opt/agent'], 'shipped')).toMatchObject([{ exitCode: undefined }]);
    const expected = [{ exitCode: undefined, programs: ['/opt/agent'] }];
    expect(stepsFor(['/bin/sh'], ['/opt/agent'])).toMatchObject(expected);
    expect(stepsFor(['/opt/agent'], ['/opt/agent'])).toMatchObject([{ exitCode: 0 }]);
    expect(stepsFor(undefined, ['/opt/agent'])).toMatchObject([{ exitCode: 0 }]);
    expect(stepsFor(['/bin/sh'])).toMatchObject([{ exitCode: undefined, programs: undefined }]);
  });

  describe('whose command has a bare name ends with', () => {
    const exitCode = (own: Partial<ContainerView>, command = ['sleep', '60']) =>
      imageSwap.toSteps(spec('shipped'), common, subject({}, { command, ...own }))[0]?.exitCode;

    it.each<readonly [title: string, own: Partial<ContainerView>]>([
      ['PATH may be set', { setsPath: true }],
      ['a volume hides a folder of PATH', { mounts: ['/data', '/usr/local/sbin'] }],
      ['a volume hides several', { mounts: ['/usr/'] }],
      ['a volume hides all', { mounts: ['/'] }],
      ['a file is mounted in its place', { mounts: ['/bin/sleep'] }],
    ])('an unknown code if %s', (_title, own) => {
      expect(exitCode(own)).toBeUndefined();
      expect(exitCode(own, ['/usr/bin/sleep'])).toBe(0);
    });

    it.each<readonly [title: string, own: Partial<ContainerView>]>([
      ['a volume is elsewhere', { mounts: ['/data', '/usr/local/bin/tools', '/bin/cat', '/usr/b'] }],
      ['other variables are set', { env: { PATHS: '/opt' } }],
    ])('0 if %s', (_title, own) => {
      expect(exitCode(own)).toBe(0);
    });
  });

  describe('without a list of programs', () => {
    const stepsOf = (image: string, commands?: NoopPrograms) => {
      const written = imageSwap.written.parse({ imageSwap: { image, ...(commands && { commands }) } });
      return imageSwap.toSteps(written, common, subject({}, { command: ['/bin/sh'] }));
    };

    it.each([
      'registry.example.com/sidecar-sweeper-noop:0.1.0',
      'sidecar-sweeper-noop',
      `mirror.example:5000/tools/sidecar-sweeper-noop@sha256:${'0'.repeat(64)}`,
      'registry.example/sidecar-sweeper/noop:1',
    ])('ends with 0 if the image is called that of this project: %s', (image) => {
      expect(stepsOf(image)).toMatchObject([{ programs: 'shipped', exitCode: 0 }]);
      const own = { programs: ['/opt/agent'], exitCode: undefined };
      expect(stepsOf(image, ['/opt/agent'])).toMatchObject([own]);
    });

    it.each(['noop:1', 'acme/sidecar-sweeper-noop-fork:1', 'registry.example/sidecar-sweeper:1'])(
      'ends with an unknown code if it is called anything else: %s',
      (image) => {
        expect(stepsOf(image)).toMatchObject([{ programs: undefined, exitCode: undefined }]);
      },
    );
  });

  // biome-ignore format: one row a line
  it.each<
    readonly [own: Partial<ContainerView>, programs: NoopPrograms | undefined, why: string | undefined]
  >([
    [{}, 'shipped', undefined],
    [{ command: ['sh'] }, 'shipped', undefined],
    [{ command: ['sh'] }, undefined, 'it is not known which programs noop:1 has: list the programs that exit with 0 under imageSwap.commands of the policy: ["sh"]'],
    [{}, undefined, 'it is not known which programs noop:1 has: list the programs that exit with 0 under imageSwap.commands of the policy: []'],
    [{ command: ['/opt/agent'] }, 'shipped', 'noop:1 is not known to have /opt/agent: add /opt/agent to the image, and to imageSwap.commands of the policy'],
    [{ pullPolicy: 'Never' }, 'shipped', "the container's imagePullPolicy is Never, and nodes that lack noop:1 do not pull it: if its node has the image, sweep this pod by name with --unclean-exit=allow"],
    [{ pullPolicy: 'Always' }, 'shipped', "the container's imagePullPolicy is Always, and Docker Hub has no official image noop:1: name the no-op image with its registry"],
    [{ args: ['proxy', 'sidecar'] }, [], 'noop:1 is not known to have proxy: add proxy to the image, and to imageSwap.commands of the policy'],
    [{ args: ['proxy', 'sidecar'] }, 'shipped', undefined],
    [{ args: ['proxy', 'sidecar'] }, ['proxy'], undefined],
    [{ command: ['sh'], setsPath: true }, 'shipped', 'sh is looked up in PATH, which env or envFrom of the container sets: if PATH finds sh in the image, sweep this pod by name with --unclean-exit=allow'],
    [{ command: ['sh'], mounts: ['/data', '/usr'] }, ['sh'], 'sh is looked up in PATH, and a volume is mounted at /usr: if PATH finds sh in the image, sweep this pod by name with --unclean-exit=allow'],
  ])('tells why its end is unknown: %j, programs %j', (own, programs, why) => {
    const [step] = imageSwap.toSteps(spec(programs), common, subject({}, own));
    expect(step?.whyUnknown).toBe(why);
  });
});

it('one write swaps the images of all sidecars', async () => {
  const { to, calls } = writeRecipient([], ['a', 'b']);
  expect(await imageSwap.send(steps.ImageSwap, to)).toEqual({ kind: 'Accepted' });
  const swaps = ['a', 'b'].map((container) => ({ container, image: 'noop:1' }));
  expect(calls).toEqual([['swapImages', pod, swaps, { dryRun: false, isStill }, abort]]);
});

it('a write that is rejected shows that the API server does not do this', async () => {
  const { to } = writeRecipient([{ kind: 'Rejected', message: 'is invalid' }]);
  expect(await imageSwap.send(steps.ImageSwap, to)).toEqual({ kind: 'Unsupported', message: 'is invalid' });
});

describe('the shipped image', () => {
  // biome-ignore format: as many as fit on a line
  it.each([
    undefined, 'sh', '/bin/sh', '/usr/bin/sleep', '/usr/local/bin/envoy', '/cloud-sql-proxy', '/busybox/sh',
    '/git-sync', 'dockerd', 'dockerd-entrypoint.sh', '/usr/bin/vector', '/bin/alloy', '/usr/local/bin/containerboot',
    '/bin/oauth2-proxy', '/bin/statsd_exporter', '/xray', 'busybox', 'nc', 'socat', 'timeout',
  ])('has %s', (program) => {
    expect(hasProgram(program, 'shipped')).toBe(true);
  });

  it.each(['', '/opt/agent', 'bin/sh', '/sbin/sh', '/sh', '/bin/', '/bin'])('does not have %j', (program) => {
    expect(hasProgram(program, 'shipped')).toBe(false);
  });
});

it('another image has its entrypoint and the programs that the policy names; without names, nothing is known', () => {
  expect(hasProgram(undefined, ['/opt/agent'])).toBe(true);
  expect(hasProgram(undefined, [])).toBe(true);
  expect(hasProgram('/opt/agent', ['/opt/agent'])).toBe(true);
  expect(hasProgram('/bin/sh', ['/opt/agent'])).toBe(false);
  expect(hasProgram('/bin/sh', [])).toBe(false);
  for (const program of [undefined, 'sh', '/opt/agent']) expect(hasProgram(program, undefined)).toBe(false);
});
