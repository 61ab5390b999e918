import { describe, expect, it } from 'vitest';
import type { Transport } from '../../../../src/kube/client/transport.ts';
import {
  addEphemeralContainer,
  deletePod,
  evict,
  setDeadline,
  swapImages,
} from '../../../../src/kube/pods/write.ts';
import type { PodRef } from '../../../../src/model/pod.ts';
import type { WriteResult } from '../../../../src/model/ports.ts';
import { apiContainer, apiPod } from '../../../builders/api-pod.ts';
import { answered, transportThatSends } from '../../../builders/transport.ts';

const ref: PodRef = { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1' };
const path = '/api/v1/namespaces/demo/pods/work-x2k9p';
const { signal: abort } = new AbortController();
const forReal = { dryRun: false };
const present = answered(200, apiPod());
const written = answered(200, {});
const beside = { target: 'sidecar', image: 'busybox:1', command: ['kill', '1'] };

describe('the request', () => {
  it('to swap images is one patch with tests for the pod’s uid and the container names', async () => {
    const names = ['main', 'a', 'b'];
    const pod = answered(200, apiPod({ spec: { containers: names.map((name) => apiContainer(name)) } }));
    const { transport, sent } = transportThatSends(written, pod);
    const both = [
      { container: 'b', image: 'noop:1' },
      { container: 'a', image: 'noop:2' },
    ];
    await swapImages(transport, ref, both, forReal, abort);
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path,
        contentType: 'application/json-patch+json',
        body: [
          { op: 'test', path: '/metadata/uid', value: 'uid-1' },
          { op: 'test', path: '/spec/containers/2/name', value: 'b' },
          { op: 'replace', path: '/spec/containers/2/image', value: 'noop:1' },
          { op: 'test', path: '/spec/containers/1/name', value: 'a' },
          { op: 'replace', path: '/spec/containers/1/image', value: 'noop:2' },
        ],
      },
    ]);
  });

  it('to swap images as a dry run is the same patch, which changes nothing', async () => {
    const { transport, sent } = transportThatSends(written, present);
    const swaps = [{ container: 'sidecar', image: 'noop:1' }];
    await swapImages(transport, ref, swaps, { dryRun: true }, abort);
    await swapImages(transport, ref, swaps, forReal, abort);
    const [dry, real] = sent;
    expect([dry?.path, real?.path]).toEqual([`${path}?dryRun=All`, path]);
    expect({ ...dry, path }).toEqual(real);
  });

  it('to add an ephemeral container has the target’s security context and an unused name', async () => {
    const securityContext = { runAsUser: 1337, capabilities: { drop: ['ALL'] } };
    const spec = {
      containers: [apiContainer('main'), apiContainer('sidecar', { securityContext })],
      ephemeralContainers: [{ name: 'sidecar-sweeper' }, { name: 'debugger' }, { name: 'sidecar-sweeper-2' }],
    };
    const { transport, sent } = transportThatSends(written, answered(200, apiPod({ spec })));
    await addEphemeralContainer(transport, ref, beside, abort);
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path: `${path}/ephemeralcontainers`,
        contentType: 'application/strategic-merge-patch+json',
        body: {
          metadata: { uid: 'uid-1' },
          spec: {
            ephemeralContainers: [
              {
                name: 'sidecar-sweeper-3',
                image: 'busybox:1',
                command: ['kill', '1'],
                targetContainerName: 'sidecar',
                securityContext,
              },
            ],
          },
        },
      },
    ]);
  });

  it('to add an ephemeral container has no security context if the target has none', async () => {
    const { transport, sent } = transportThatSends(written, present);
    await addEphemeralContainer(transport, ref, beside, abort);
    expect(sent[0]?.body).toStrictEqual({
      metadata: { uid: 'uid-1' },
      spec: {
        ephemeralContainers: [
          {
            name: 'sidecar-sweeper',
            image: 'busybox:1',
            command: ['kill', '1'],
            targetContainerName: 'sidecar',
          },
        ],
      },
    });
  });

  it('to set a deadline has one in the past, and the pod’s uid', async () => {
    const { transport, sent } = transportThatSends(written);
    await setDeadline(transport, ref, abort);
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path,
        contentType: 'application/json-patch+json',
        body: [
          { op: 'test', path: '/metadata/uid', value: 'uid-1' },
          { op: 'add', path: '/spec/activeDeadlineSeconds', value: 1 },
        ],
      },
    ]);
  });

  it('to evict or delete has the pod’s uid', async () => {
    const { transport, sent } = transportThatSends(written);
    await evict(transport, ref, abort);
    await deletePod(transport, ref, abort);
    expect(sent).toMatchObject([
      {
        method: 'POST',
        path: `${path}/eviction`,
        body: { kind: 'Eviction', deleteOptions: { preconditions: { uid: 'uid-1' } } },
      },
      { method: 'DELETE', path, body: { kind: 'DeleteOptions', preconditions: { uid: 'uid-1' } } },
    ]);
  });

  it.each<readonly [name: string, write: (transport: Transport, odd: PodRef) => Promise<WriteResult>]>([
    ['swapImages', (transport, odd) => swapImages(transport, odd, [], forReal, abort)],
    ['addEphemeralContainer', (transport, odd) => addEphemeralContainer(transport, odd, beside, abort)],
    ['setDeadline', (transport, odd) => setDeadline(transport, odd, abort)],
    ['evict', (transport, odd) => evict(transport, odd, abort)],
    ['deletePod', (transport, odd) => deletePod(transport, odd, abort)],
  ])('of %s has an escaped path', async (_name, write) => {
    const { transport, sent } = transportThatSends(written, present);
    await write(transport, { namespace: 'a/b', name: '../x?y#z', uid: 'uid-1' });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.path).toMatch(/^\/api\/v1\/namespaces\/a%2Fb\/pods\/..%2Fx%3Fy%23z(?:\/[a-z]+)?$/);
  });
});
