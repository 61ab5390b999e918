// Compares sweeps of many clean pods of one image: started alike, and each with an argument of its own. The
// guard must find out that the latter are alike, too, instead of trying one after the other. Run with
// `npm run bench:canaries`; the ratio should be at most 3.
import { createMany, ownName } from '../../test/integration/guard/started-alike.ts';
import { sidecars, TestCluster } from '../../test/kit/stuck-pods.ts';

const pods = 200;
const most = 3;

const cluster = await TestCluster.start();
const alike = await timeOf('alike', () => 'run');
const own = await timeOf('own', ownName);
await cluster.stop();
console.log(
  `${pods} pods: ${alike} ms alike, ${own} ms with arguments of their own, ratio ${(own / alike).toFixed(2)}`,
);
if (own / alike > most) process.exitCode = 1;

/** How long a sweep of these pods takes, in milliseconds. */
async function timeOf(namespace: string, run: (number: number) => string): Promise<number> {
  await createMany(cluster.emulator, pods, (number) => ({
    namespace,
    name: `job-${number}`,
    sidecar: sidecars.clean,
    start: { args: ['--run', run(number)] },
  }));
  const { report } = await cluster.sweep(['-n', namespace, '--min-age', '0']);
  const ended = report.totals.pods['Ended'];
  if (ended !== pods) throw new Error(`only ${ended} of the pods ended`);
  return report.run.durationMs;
}
