import { describe, expect, it } from 'vitest';
import { type PodWrite, refusalOf } from './admission.ts';

const sweeper = 'system:serviceaccount:sidecar-sweeper:sidecar-sweeper';
const noop = 'registry.example.com/sidecar-sweeper-noop:0.1.0';
const containers = [
  { name: 'main', image: 'acme/report:3' },
  { name: 'sidecar', image: 'acme/log-shipper:2' },
];
const pod = {
  metadata: { labels: { app: 'report' }, annotations: { team: 'data' } },
  spec: { containers, initContainers: [{ name: 'wait', image: 'acme/wait:1' }], activeDeadlineSeconds: 3600 },
};

function update(object: object, changed: Partial<PodWrite> = {}): PodWrite {
  return { operation: 'UPDATE', oldObject: pod, object, username: sweeper, mayExec: false, ...changed };
}

function withImages(main: string, sidecar: string): object {
  const images = [main, sidecar];
  const swapped = containers.map((container, index) => ({ ...container, image: images[index] }));
  return { ...pod, spec: { ...pod.spec, containers: swapped } };
}

describe('the policy of the sweeper’s account', () => {
  it.each<readonly [what: string, write: PodWrite]>([
    ['the no-op image in one container', update(withImages('acme/report:3', noop))],
    ['the no-op image in all containers', update(withImages(noop, noop))],
    ['a lower deadline', update({ ...pod, spec: { ...pod.spec, activeDeadlineSeconds: 1 } })],
    [
      'an unchanged pod without labels',
      update(
        { metadata: {}, spec: { containers } },
        {
          oldObject: { metadata: {}, spec: { containers } },
        },
      ),
    ],
    ['any change by another user', update(withImages('evil', 'evil'), { username: 'alice' })],
  ])('allows %s', (_what, write) => {
    expect(refusalOf('sweeper', write)).toBeUndefined();
  });

  it.each<readonly [what: string, object: object, message: RegExp]>([
    ['another image', withImages('acme/report:3', 'evil:1'), /only change images to the no-op image/],
    [
      'the image of another container of the pod',
      withImages('acme/log-shipper:2', 'acme/log-shipper:2'),
      /no-op/,
    ],
    ['another image together with the no-op image', withImages('evil:1', noop), /no-op image/],
    ['an image with the no-op image as a prefix', withImages('acme/report:3', `${noop}-evil`), /no-op image/],
    [
      'the image of an init container',
      { ...pod, spec: { ...pod.spec, initContainers: [{ name: 'wait', image: noop }] } },
      /init containers/,
    ],
    ['a toleration', { ...pod, spec: { ...pod.spec, tolerations: [{ operator: 'Exists' }] } }, /tolerations/],
    ['a label', { ...pod, metadata: { ...pod.metadata, labels: { app: 'other' } } }, /not change metadata/],
    ['a first label', { ...pod, metadata: { ...pod.metadata, labels: {} } }, /not change metadata/],
    ['removed annotations', { ...pod, metadata: { labels: pod.metadata.labels } }, /not change metadata/],
    ['a finalizer', { ...pod, metadata: { ...pod.metadata, finalizers: ['x/y'] } }, /not change metadata/],
    [
      'an owner',
      { ...pod, metadata: { ...pod.metadata, ownerReferences: [{ uid: 'u' }] } },
      /not change metadata/,
    ],
  ])('refuses %s', (_what, object, message) => {
    expect(refusalOf('sweeper', update(object))).toMatch(message);
  });
});

describe('the policy of kill commands', () => {
  const annotated = (annotations?: object) => ({ metadata: { annotations }, spec: { containers } });
  const bare = { metadata: {}, spec: { containers } };
  const keys = [
    'workflows.argoproj.io/kill-cmd-sidecar',
    'sidecar-sweeper.dev/kill-cmd-sidecar',
    'sidecar-sweeper.dev/steps-sidecar',
  ];

  describe.each(keys)('%s', (key) => {
    const writes: readonly (readonly [string, Pick<PodWrite, 'operation' | 'object' | 'oldObject'>])[] = [
      ['on a new pod', { operation: 'CREATE', object: annotated({ [key]: '["a"]' }), oldObject: null }],
      [
        'on a pod without annotations',
        { operation: 'UPDATE', object: annotated({ [key]: '["a"]' }), oldObject: bare },
      ],
      [
        'when changed',
        {
          operation: 'UPDATE',
          object: annotated({ [key]: '["b"]' }),
          oldObject: annotated({ [key]: '["a"]' }),
        },
      ],
    ];
    it.each(writes)('%s, requires permission to exec', (_when, write) => {
      const alice = { username: 'alice', ...write };
      expect(refusalOf('kill-commands', { ...alice, mayExec: true })).toBeUndefined();
      expect(refusalOf('kill-commands', { ...alice, mayExec: false })).toMatch(/only users who may exec/);
    });

    it('does not prevent other changes if it already exists', () => {
      const write: PodWrite = {
        operation: 'UPDATE',
        object: annotated({ [key]: '["a"]', team: 'ops' }),
        oldObject: annotated({ [key]: '["a"]', team: 'data' }),
        username: 'alice',
        mayExec: false,
      };
      expect(refusalOf('kill-commands', write)).toBeUndefined();
    });
  });

  it('ignores other annotations', () => {
    const object = annotated({ 'sidecar-sweeper.dev/skip': 'true' });
    const write = {
      operation: 'CREATE',
      object,
      oldObject: null,
      username: 'alice',
      mayExec: false,
    } as const;
    expect(refusalOf('kill-commands', write)).toBeUndefined();
    expect(refusalOf('kill-commands', { ...write, object: bare })).toBeUndefined();
  });
});
