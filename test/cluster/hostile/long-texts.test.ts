import { expect, it } from 'vitest';
import type { Placement } from '../../kit/emulator/index.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const long = 100_000;
/** What a long text may add to all that a sweep or an explanation writes. */
const most = 10_000;

function pod(image: string): Placement {
  const { manifest, ...rest } = stuckPod({ name: 'named' });
  const [main, sidecar] = manifest.spec.containers;
  if (!main || !sidecar) throw new Error('it has two');
  return {
    ...rest,
    manifest: { ...manifest, spec: { ...manifest.spec, containers: [main, { ...sidecar, image }] } },
  };
}

/** How many bytes commands write about pods with an image and a refusal of so many characters. */
async function written(length: number): Promise<readonly number[]> {
  const cluster = await TestCluster.start([
    pod(`docker.io/acme/agent:${'1'.repeat(length)}`),
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
