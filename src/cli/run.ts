import { printable } from '../printable.ts';
import { exitCodes } from '../report/exit-code.ts';
import { UsageError } from '../usage-error.ts';
import { parseArguments } from './arguments.ts';
import { print, type Surroundings } from './surroundings.ts';

/** The whole program: argv in, exit code out. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings;
  const parsed = parseArguments(argv);
  switch (parsed.kind) {
    case 'Help':
      await print(stdout, parsed.text);
      return exitCodes.resolved;
    case 'Wrong':
      await print(stderr, `sidecar-sweeper: ${printable(parsed.message)}; see sidecar-sweeper --help\n`);
      return exitCodes.usage;
    case 'Run':
      try {
        return await parsed.run(surroundings);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        await print(stderr, `sidecar-sweeper: ${printable(error.message)}\n`);
        return exitCodes.usage;
      }
  }
}
