import { expect, it } from 'vitest';
import { container, sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const long = 100_000;
/** What a long text may add to all that a sweep or an explanation writes. */
const most = 10_000;

/** How many bytes commands write about pods with an image and a refusal of so many characters. */
async function written(length: number): Promise<readonly number[]> {
  const image = `docker.io/acme/agent:${'1'.repeat(length)}`;
  const containers = [container('main'), container('sidecar', { image })];
  const cluster = await TestCluster.start([
    stuckPod({ name: 'named', spec: { containers } }),
    stuckPod({ name: 'refused', sidecar: sidecars.shellLess }),
  ]);
  const message = `admission webhook "images" denied the request: ${'never '.repeat(length / 6)}`;
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: 403,
    reason: 'Forbidden',
    message,
  };
  cluster.emulator.faults.add({ verb: 'patch', name: 'refused' }, { kind: 'Answer', status: 403, body });
  const runs = [
    await cluster.runHere(
      '--dry-run -o json --verbose --noop-image docker.io/local/nop:1 --min-age 0'.split(' '),
    ),
    await cluster.runHere(['explain', 'demo/named', '-o', 'json']),
    await cluster.runHere(['scan', '-o', 'json']),
  ];
  const { unfit } = JSON.parse(runs[0]?.stdout ?? '').pods.find(
    ({ name }: { name: string }) => name === 'refused',
  ).containers[1];
  expect(unfit).toMatchObject([{ reason: 'NotAdmitted' }]);
  await cluster.stop();
  return runs.map(({ stdout, stderr }) => stdout.length + stderr.length);
}

it('an image and a refusal of 100 KB do not swell what is written', async () => {
  const short = await written(12);
  const swollen = (await written(long)).map((bytes, index) => bytes - (short[index] ?? 0));
  expect(Math.max(...swollen), `${swollen}`).toBeLessThan(most);
});
