import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenCluster } from '../../src/kube/cluster.ts';
import { collect, openAt, RawServer, token, unstopped, wire } from './raw-server.ts';
import { tally } from './tally.ts';

let here: RawServer;
let elsewhere: RawServer;
let answer: Buffer;
beforeEach(async () => {
  elsewhere = await RawServer.start((socket) => socket.write(wire('{}')));
  here = await RawServer.start((socket) => socket.end(answer));
});
afterEach(async () => {
  await here.stop();
  await elsewhere.stop();
});

const ref = { namespace: 'demo', name: 'pod', uid: 'uid-1' };
const owner = { kind: 'Job', group: 'batch', name: 'job', uid: 'uid-2' };
const lease = { namespace: 'demo', name: 'lease' };
const written = { holder: 'me', duration: 1_000, renewedAt: 0, resourceVersion: '1' };

/** Every request that a sweep makes, one way or another. */
const requests: Readonly<Record<string, (cluster: OpenCluster) => Promise<unknown>>> = {
  'a list of pods': async (cluster) => {
    const { problem } = await collect(
      cluster.findPods({ namespaces: [], labelSelector: undefined }, unstopped),
    );
    return problem;
  },
  'a pod': (cluster) => cluster.readPod(ref, unstopped),
  'a Job': (cluster) => cluster.readJob('demo', owner, unstopped),
  'a list of nodes': (cluster) => cluster.listNodes(undefined, unstopped),
  'a permission': (cluster) => cluster.mayI({ verb: 'list', group: '', resource: 'pods' }, unstopped),
  'an exec': (cluster) => cluster.exec(ref, 'sidecar', ['kill', '1'], unstopped),
  'a port-forward': (cluster) =>
    cluster.request(
      ref,
      { method: 'POST', port: 15_020, path: '/quit', headers: {}, statuses: [] },
      unstopped,
    ),
  'a deletion': (cluster) => cluster.deletePod(ref, unstopped),
  'an eviction': (cluster) => cluster.evict(ref, unstopped),
  'a patch': (cluster) => cluster.setDeadline(ref, unstopped),
  'an image swap': (cluster) =>
    cluster.swapImages(ref, [{ container: 'sidecar', image: 'noop' }], { dryRun: false }, unstopped),
  'a new lease': (cluster) => cluster.createLease(lease, written, unstopped),
  'a renewed lease': (cluster) => cluster.updateLease(lease, written, unstopped),
};

const statuses = [
  '300 Multiple Choices',
  '301 Moved',
  '302 Found',
  '303 See Other',
  '307 Temporary',
  '308 Permanent',
];
const failures = ['Rejected', 'Unreadable', 'Unknown', 'Refused', 'Undelivered', 'Unconfirmed', 'Failed'];

describe.each(Object.entries(requests))('A18: %s that is redirected to another host', (_title, request) => {
  it('goes nowhere else, takes no token there, and has failed', async () => {
    for (const status of statuses) {
      const { host } = new URL(elsewhere.url);
      for (const location of [elsewhere.url, `//${host}/api/v1/pods`, `http://x:y@${host}/`]) {
        answer = wire('{}', { status, headers: `location: ${location}\r\nconnection: close\r\n` });
        const cluster = await openAt(here.url, { timeout: 60_000 });
        const result = await request(cluster);
        await cluster.close();
        expect(failures, status).toContain(typeof result === 'string' ? result : Object(result).kind);
      }
    }
    expect(here.requests.length).toBeGreaterThan(0);
    expect(here.requests.join('')).toContain(token);
    expect(elsewhere.connections).toBe(0);
    tally('faults', 'A18', 3 * statuses.length);
  });
});
