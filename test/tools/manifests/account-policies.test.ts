import { beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, messageOf, type PatchType, stage } from '../../cluster/emulator/server/stage.ts';
import { type Container, ensureObject, type Pod } from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { cannotRender, render, renderFile, withSwaps } from './render.ts';

const account = { namespace: 'sidecar-sweeper', name: 'sidecar-sweeper' };
const noop = 'registry.example.com/sidecar-sweeper-noop:0.1.0';
const pods = '/api/v1/namespaces/demo/pods';
const over = { kind: 'terminated', exitCode: 0, finishedAt: new Date('2026-11-21T04:00:00Z') } as const;
const named = (name: string): Container => ({ name, image: `acme/${name}:1` });
const swapOf = (index: number, value = noop) => ({
  op: 'replace',
  path: `/spec/containers/${index}/image`,
  value,
});
const resize = { spec: { containers: [{ name: 'proxy', resources: { requests: { cpu: '2' } } }] } };
const deadline = { spec: { activeDeadlineSeconds: 5 } };
const binding = { metadata: { name: 'x' }, target: { kind: 'Node', name: 'node1' } };

type Change = readonly [what: string, as: PatchType, body: unknown, message: RegExp];
type Other = readonly [method: string, part: string, body: object | undefined];

// biome-ignore format: one row a line
const refused: readonly Change[] = [
  ['to another image', 'json', [swapOf(1, 'evil:1')], /images to the no-op image/],
  ['to the image of its other container', 'json', [swapOf(1, 'acme/logs:1')], /images to the no-op image/],
  ['to an image with the no-op’s as a prefix', 'json', [swapOf(1, `${noop}-evil`)], /images to the no-op image/],
  ['to the no-op image and another', 'json', [swapOf(1), swapOf(2, 'evil:1')], /images to the no-op image/],
  ['in its init containers', 'json', [{ op: 'replace', path: '/spec/initContainers/0/image', value: noop }], /may not change init containers/],
  ['in its scheduling gates', 'json', [{ op: 'remove', path: '/spec/schedulingGates' }], /where and when/],
  ['in its node selector', 'json', [{ op: 'add', path: '/spec/nodeSelector', value: { zone: 'a' } }], /where and when/],
  ['in its grace period', 'json', [{ op: 'replace', path: '/spec/terminationGracePeriodSeconds', value: 1 }], /grace periods/],
  ['in its tolerations', 'json', [{ op: 'add', path: '/spec/tolerations/-', value: { key: 'a', operator: 'Exists', effect: 'NoExecute' } }], /tolerations/],
  ['in its labels', 'merge', { metadata: { labels: { app: 'other' } } }, /may not change metadata/],
  ['by removing its labels', 'merge', { metadata: { labels: null } }, /may not change metadata/],
  ['in its annotations', 'merge', { metadata: { annotations: { a: 'b' } } }, /may not change metadata/],
  ['in its finalizers', 'merge', { metadata: { finalizers: ['a/b'] } }, /may not change metadata/],
  ['in its owners', 'merge', { metadata: { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u' }] } }, /may not change metadata/],
  ['in its labels together with a swap', 'strategic', { metadata: { labels: { app: 'other' } }, spec: { containers: [{ name: 'proxy', image: noop }] } }, /may not change metadata/],
  ['in its command', 'strategic', { spec: { containers: [{ name: 'proxy', command: ['x'] }] } }, /may not change/],
  ['by adding a container', 'strategic', { spec: { containers: [{ name: 'e', image: noop }] } }, /add or remove/],
];

interface AccountPolicy {
  readonly overlay: string;
  readonly refused: readonly Change[];
  readonly allowed: readonly (readonly [what: string, as: PatchType, body: unknown])[];
  /** What a role may grant of pods, and the policy refuses with this message. */
  readonly others: readonly Other[];
  readonly message: string;
}

// biome-ignore format: one row a line
const policies: readonly AccountPolicy[] = [
  {
    overlay: 'sweep with image-swap',
    refused: [],
    allowed: [['to the no-op image in all containers', 'json', [swapOf(0), swapOf(1), swapOf(2)]], ['in its deadline', 'merge', deadline]],
    others: [['PATCH', '/status', { metadata: { annotations: { a: 'b' } } }], ['PATCH', '/resize', resize], ['POST', '/binding', binding]],
    message: 'may only change images and deadlines of pods',
  },
  {
    overlay: 'swap',
    refused: [
      ['by ending the container that is over', 'json', [swapOf(0)], /of which another container has terminated/],
      ['in its deadline', 'merge', deadline, /may not change deadlines/],
    ],
    allowed: [],
    others: [
      ['GET', '/exec?command=ls&stdout=true', undefined],
      ['POST', '/exec?command=ls&stdout=true', undefined],
      ['GET', '/portforward?ports=80', undefined],
      ['POST', '/portforward?ports=80', undefined],
      ['DELETE', '', undefined],
      ['POST', '/eviction', { metadata: { name: 'victim' } }],
      ['PATCH', '/ephemeralcontainers', { spec: { ephemeralContainers: [{ name: 'e', image: 'evil:1' }] } }],
      ['PATCH', '/status', { status: { phase: 'Failed' } }],
      ['PATCH', '/resize', resize],
    ],
    message: 'may only change images of pods',
  },
];

describeUnless(cannotRender, 'the sweeper’s account, whatever a role grants it,', () => {
  describe.each(policies)('in the overlay $overlay', (policy) => {
    const { overlay, message } = policy;
    const cluster = stage();
    let token = '';
    beforeAll(async () => {
      const objects = overlay === 'swap' ? render('overlays/swap') : renderFile(withSwaps);
      for (const object of await objects) ensureObject(cluster.emulator.world, object);
      const rules = [{ apiGroups: [''], resources: ['*'], verbs: ['*'] }];
      token = cluster.emulator.serviceAccount({ ...account, rules, scope: 'Cluster' });
    });

    let placed = 0;
    /** A pod whose main container has ended while two sidecars are running. */
    function place(changed: NonNullable<Parameters<typeof cluster.place>[1]> = {}): string {
      const name = `pod-${++placed}`;
      cluster.place(name, {
        containers: [named('main'), named('proxy'), named('logs')],
        initContainers: [named('init')],
        terminationGracePeriodSeconds: -1,
        schedulingGates: [{ name: 'acme.example/quota' }],
        tolerations: [{ key: 'b', operator: 'Exists' }],
        states: { main: over },
        labels: { app: 'report' },
        ...changed,
      });
      return name;
    }
    const stored = (name: string) => cluster.emulator.world.store.get<Pod>('pods', 'demo', name);
    const patch = (name: string, as: PatchType, body: unknown, query = '') =>
      cluster.ask('PATCH', `${pods}/${name}${query}`, { as, body, token });

    it('may set the no-op image in one container or in several, dry or not', async () => {
      for (const indexes of [[1], [1, 2]]) {
        const name = place();
        const uid = { op: 'test', path: '/metadata/uid', value: stored(name)?.metadata.uid };
        const body = [uid, ...indexes.map((index) => swapOf(index))];
        const images = () => stored(name)?.spec.containers.map(({ image }) => image);
        expect(await patch(name, 'json', body, '?dryRun=All')).toMatchObject({ status: 200 });
        expect(images()).not.toContain(noop);
        expect(await patch(name, 'json', body)).toMatchObject({ status: 200 });
        expect(images()?.flatMap((image, index) => (image === noop ? index : []))).toEqual(indexes);
      }
    });

    it('may do so under OnFailure, one container after the other, and in pods without labels', async () => {
      const name = place({ restartPolicy: 'OnFailure', labels: {} });
      for (const index of [1, 2])
        expect(await patch(name, 'json', [swapOf(index)])).toMatchObject({ status: 200 });
    });

    if (policy.allowed.length > 0) {
      it.each(policy.allowed)('may change a pod %s', async (_what, as, body) => {
        expect(await patch(place(), as, body)).toMatchObject({ status: 200 });
      });
    }

    it.each([...refused, ...policy.refused])('may not change a pod %s', async (_what, as, body, why) => {
      const name = place();
      const before = stored(name);
      for (const query of ['?dryRun=All', '']) {
        expectRefused(await patch(name, as, body, query), why);
      }
      expect(stored(name)).toBe(before);
    });

    const ask = (method: string, path: string, body: object | undefined) =>
      cluster.ask(method, path, { token, body, ...(method === 'PATCH' && { as: 'strategic' }) });

    it.each(policy.others)('may not %s a pod%s', async (method, part, body) => {
      if (!stored('victim')) cluster.place('victim', { states: { main: over } });
      expectRefused(await ask(method, `${pods}/victim${part}`, body), message);
      expect(stored('victim')?.metadata.deletionTimestamp).toBeUndefined();
    });

    it('may neither create pods nor bind them by the old path', async () => {
      const body = { metadata: { name: 'new' }, spec: { containers: [{ ...named('main'), image: noop }] } };
      expect(messageOf(await ask('POST', pods, body))).toContain(message);
      const bound = { ...binding, metadata: { name: place() } };
      expectRefused(await ask('POST', '/api/v1/namespaces/demo/bindings', bound), message);
    });

    it('is the only account that this restricts', async () => {
      const asAdmin = { as: 'json', body: [swapOf(1, 'any:1')] } as const;
      expect(await cluster.ask('PATCH', `${pods}/${place()}`, asAdmin)).toMatchObject({ status: 200 });
    });

    if (overlay !== 'swap') {
      it('may delete and evict, as the components for that grant it', async () => {
        const name = place();
        expect(await ask('POST', `${pods}/${name}/eviction`, { metadata: { name } })).toMatchObject({
          status: 201,
        });
        expect(await ask('DELETE', `${pods}/${place()}`, undefined)).toMatchObject({ status: 200 });
      });
      return;
    }

    // biome-ignore format: one row a line
    it.each<readonly [which: string, pod: Parameters<typeof place>[0], message: RegExp]>([
      ['of a Deployment', { restartPolicy: 'Always' }, /restartPolicy is Always/],
      ['of which nothing has terminated', { states: {} }, /another container has terminated/],
      ['whose containers wait', { states: { main: { kind: 'waiting' } } }, /another container has terminated/],
    ])('may not swap images in a pod %s', async (_which, pod, why) => {
      expectRefused(await patch(place(pod), 'json', [swapOf(1)]), why);
    });

    it('may not swap images in a pod that does not have its status yet', async () => {
      const name = place();
      cluster.emulator.world.store.update<Pod>('pods', 'demo', name, (pod) => ({
        ...pod,
        status: { phase: 'Pending' },
      }));
      expect(messageOf(await patch(name, 'json', [swapOf(1)]))).toMatch(/another container has terminated/);
    });
  });
});
