import { type Contestant, compete } from './contest.ts';
import type { Emulated } from './emulated.ts';
import { type Part, toPart } from './part.ts';
import type { Filling } from './pods.ts';
import { sweep } from './sweep.ts';

const nodes = 10;
const flags = ['--request-timeout', '5s', '--deadline', '1m'];

/** Sweeps ten nodes, the kubelet of one hanging: until when are the pods of the others finished? */
export async function benchHanging({ server, fill }: Emulated, pods: number, rounds: number): Promise<Part> {
  const ended: number[] = [];
  const contestant = (name: string, hanging: number): Contestant => {
    const filling: Filling = {
      prefix: 'bench',
      namespaces: 20,
      pods,
      running: pods,
      stuck: pods,
      sidecar: 'clean',
      nodes,
      hanging,
    };
    return {
      name,
      // Some are still stuck, and a sweep that waits for them all may meet the deadline.
      command: async () => sweep(await fill(filling), flags, hanging === 0 ? [0] : [0, 4, 5]),
      timeOf: async (_, beganAt) => {
        const { succeeded, lastEndAt } = await server.outcome();
        if (hanging > 0) ended.push(succeeded);
        return lastEndAt - beganAt;
      },
    };
  };
  const results = await compete({
    rounds,
    contestants: [contestant('one node of ten hangs', 1), contestant('no node hangs', 0)],
    serverCpuMs: server.cpuMs,
  });
  const part = toPart(results, { 'no node hangs': 'vsNoHangingNode' });
  return { ...part, facts: { pods, others: pods - pods / nodes, othersEnded: Math.min(...ended) } };
}
