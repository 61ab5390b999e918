import { describe, expect, it } from 'vitest';
import { askForSwaps } from '../../../src/facts/permissions.ts';
import { describeRbac, type Permissions } from '../../../src/methods/permissions.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { ImageSwap, SwapResult } from '../../../src/model/ports.ts';
import { draftPod, type PodDraft } from '../../../src/plan/draft.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { candidate } from '../../builders/plan.ts';
import { everythingAllowed, knowing, specs } from '../../builders/planned.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

const stop = new AbortController().signal;
const [swap] = specs({ imageSwap: { image: 'noop:1' } });
const early: Partial<Policy> = { swap };

function draft(name: string, more: Partial<Policy> = early, pod: Partial<PodView> = {}): PodDraft {
  const ref = { namespace: 'demo', name, uid: `uid-of-${name}` };
  return draftPod(candidate(podView({ ref, ...pod })), policy(more));
}

/** What a server says that answers like this, and what it was asked. */
async function ask(
  drafts: readonly PodDraft[],
  result: SwapResult = { kind: 'Written' },
  permissions: Permissions = everythingAllowed,
) {
  const asked: (readonly [pod: string, swaps: readonly ImageSwap[]])[] = [];
  let slotsUsed = 0;
  const admission = await askForSwaps(drafts, permissions, {
    cluster: {
      async swapImages({ name }, swaps, options, signal) {
        expect(options).toEqual({ dryRun: true });
        expect(signal).toBe(stop);
        asked.push([name, swaps]);
        return result;
      },
    },
    slots: (work) => {
      slotsUsed++;
      return work();
    },
    stop,
  });
  return { ...admission, asked, slotsUsed };
}

const sidecarTo = (image: string) => [{ container: 'sidecar', image }];

describe('a dry run of the swap is sent', () => {
  it('for each pod once, in a slot, with all sidecars that can be swapped', async () => {
    const two = draft('b', early, {
      annotations: { 'sidecar-sweeper.dev/sidecars': 'x,y,z' },
      containers: [
        container('main', exited()),
        container('x', running),
        container('y', exited()),
        container('z', running),
      ],
    });
    const { asked, slotsUsed } = await ask([draft('a'), two]);
    expect(asked).toEqual([
      ['a', sidecarTo('noop:1')],
      [
        'b',
        [
          { container: 'x', image: 'noop:1' },
          { container: 'z', image: 'noop:1' },
        ],
      ],
    ]);
    expect(slotsUsed).toBe(2);
  });

  it('for a swap that is only a last resort', async () => {
    const lastResort = specs({ delete: true }, { imageSwap: { image: 'noop:2' } });
    expect((await ask([draft('a', { lastResort })])).asked).toEqual([['a', sidecarTo('noop:2')]]);
  });

  it('for a swap that a profile asks for', async () => {
    const { asked } = await ask([draft('a', knowing({ imageSwap: { image: 'noop:3' } }))]);
    expect(asked).toEqual([['a', sidecarTo('noop:3')]]);
  });

  it.each<readonly [title: string, PodDraft]>([
    ['nothing swaps images', draft('a', { lastResort: specs({ delete: true }) })],
    [
      'the sidecar is restarted whatever it runs',
      draft('a', early, {
        containers: [container('main', exited()), container('sidecar', running, { restartPolicy: 'Always' })],
      }),
    ],
    [
      'its program lies in a volume',
      draft('a', early, {
        containers: [
          container('main', exited()),
          container('sidecar', running, { command: ['/tools/run'], mounts: ['/tools'] }),
        ],
      }),
    ],
  ])('but not if %s', async (_title, one) => {
    expect((await ask([one])).asked).toEqual([]);
  });

  it('but not by an account that may not patch', async () => {
    const permissions = {
      allow: (rules: Parameters<Permissions['allow']>[0]) => describeRbac(rules) !== 'patch on pods',
    };
    const { asked, refused, images } = await ask([draft('a')], { kind: 'Written' }, permissions);
    expect([asked, refused, images]).toEqual([[], new Map(), new Map()]);
  });
});

describe('what the server answers', () => {
  it.each<readonly [title: string, SwapResult]>([
    ['a policy', { kind: 'Rejected', message: 'violates PodSecurity "restricted:latest"' }],
    ['RBAC or a webhook', { kind: 'Refused', message: 'violates PodSecurity "restricted:latest"' }],
  ])('is kept if it is a refusal by %s', async (_title, result) => {
    const { refused, images } = await ask([draft('a'), draft('b')], result);
    const message = 'violates PodSecurity "restricted:latest"';
    expect(refused).toEqual(
      new Map([
        ['uid-of-a', message],
        ['uid-of-b', message],
      ]),
    );
    expect(images).toEqual(new Map());
  });

  it('is kept if it has the images that the pod then has', async () => {
    const images = { sidecar: 'mirror.example/noop:1' };
    const admission = await ask([draft('a')], { kind: 'Written', images });
    expect(admission.images).toEqual(new Map([['uid-of-a', images]]));
    expect(admission.refused).toEqual(new Map());
  });

  it.each<SwapResult>([
    { kind: 'Written' },
    { kind: 'Conflict', message: 'the pod changed before the patch' },
    { kind: 'Unconfirmed', message: 'no answer' },
    { kind: 'Undelivered', message: 'no answer' },
    { kind: 'Busy', message: 'too many requests', retryAfter: 1_000 },
  ])('says nothing if it is $kind: the swap itself will', async (result) => {
    const { refused, images } = await ask([draft('a')], result);
    expect([refused, images]).toEqual([new Map(), new Map()]);
  });
});
