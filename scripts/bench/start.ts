import { compete } from './contest.ts';
import { type Part, toPart } from './part.ts';
import { sweeper } from './scan.ts';

/** How long it takes until the program is there. */
export async function benchStart(rounds: number, argv: readonly string[]): Promise<Part> {
  const results = await compete({
    rounds,
    contestants: [
      {
        name: `sidecar-sweeper ${argv.join(' ')}`,
        command: { program: process.execPath, args: [sweeper, ...argv] },
      },
      { name: 'node -e 0', command: { program: process.execPath, args: ['-e', '0'] } },
    ],
  });
  return toPart(results, { 'node -e 0': 'vsBareNode' });
}
