import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BodyError } from '../../src/kube/client/exchange.ts';
import { ListLimit } from '../../src/kube/objects/objects.ts';
import { readPodAnswer } from '../../src/kube/pods/answer.ts';
import { bounds } from '../../src/model/bounds.ts';
import { apiContainer, apiPod, inChunks, podListBytes } from '../builders/api-pod.ts';
import { whole } from './bodies.ts';
import { tally } from './tally.ts';

const runs = 300;
/** Of CPU time, with a start that no bytes explain; a busy machine slows it down less than the clock. */
const most = { startMs: 150, nanosecondsPerByte: 400 };

const some = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const named = (count: number) => some(count).map((name) => ({ name }));
const texts = (count: number) => Object.fromEntries(some(count).map((name) => [name, name]));
const withMain = (more: Record<string, unknown>) =>
  apiPod({ spec: { containers: [apiContainer('main', more)] } });

const inflated: readonly ((count: number) => object)[] = [
  (count) => apiPod({ metadata: { labels: texts(count) } }),
  (count) => apiPod({ metadata: { annotations: texts(count) } }),
  (count) => apiPod({ metadata: { finalizers: some(count) } }),
  (count) => apiPod({ metadata: { ownerReferences: named(count) } }),
  (count) => apiPod({ spec: { containers: named(count) } }),
  (count) => apiPod({ spec: { initContainers: named(count) } }),
  (count) => apiPod({ spec: { nodeSelector: texts(count) } }),
  (count) => apiPod({ status: { containerStatuses: named(count).map((one) => ({ ...one, state: {} })) } }),
  (count) => apiPod({ status: { conditions: some(count).map((type) => ({ type, status: 'True' })) } }),
  (count) => withMain({ args: some(count) }),
  (count) => withMain({ env: named(count) }),
  (count) => withMain({ envFrom: named(count).map(() => ({})) }),
  (count) => withMain({ volumeMounts: named(count) }),
  (count) => withMain({ resources: { requests: texts(count) } }),
  (count) => withMain({ restartPolicyRules: some(count).map((action) => ({ action })) }),
];

/** A recorded list, or one of inflated pods, in which some bytes are others. */
const mutated = fc
  .record({
    changes: fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { maxLength: 4 }),
    pod: fc.option(fc.constantFrom(...inflated), { freq: 8 }),
    count: fc.constantFrom(1, 100, 3_000, 30_000),
    pods: fc.constantFrom(1, 4),
  })
  .map(({ changes, pod, count, pods }) => {
    const bytes = pod ? podListBytes(Array(pods).fill(pod(count))) : Buffer.from(whole);
    for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
    return bytes;
  });

/** What comes of a list: the bytes of its pods. A list that cannot be read is refused in words. */
async function sizesOf(bytes: Buffer): Promise<readonly number[]> {
  const sizes: number[] = [];
  const list = { isLeftOut: () => false, limit: new ListLimit(), asOf: undefined };
  try {
    for await (const { pods } of readPodAnswer(inChunks(bytes, 65_536), list)) {
      sizes.push(...pods.map(({ size }) => size));
    }
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
  }
  return sizes;
}

it('D10: a mutated list takes time and memory in proportion to its bytes', async () => {
  await sizesOf(Buffer.from(whole));
  const property = fc.asyncProperty(mutated, async (bytes) => {
    const before = process.cpuUsage();
    const sizes = await sizesOf(bytes);
    const { user, system } = process.cpuUsage(before);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(bounds.pod);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(33 * bytes.length);
    const allowedMs = most.startMs + (most.nanosecondsPerByte * bytes.length) / 1e6;
    expect((user + system) / 1_000).toBeLessThan(allowedMs);
  });
  await fc.assert(property, { numRuns: runs });
  tally('badInputs', 'D10', runs);
});
