import { exitCodes } from '../report/exit-code.ts';
import { UsageError } from '../util/usage-error.ts';
import { usualCaller } from './help.ts';
import { complain, write } from './output.ts';
import { parseArguments } from './program.ts';
import type { Surroundings } from './surroundings.ts';
import { Unwritten } from './unwritten.ts';

/** The whole program: argv in, exit code out. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { program = usualCaller.program, stdout } = surroundings;
  const parsed = parseArguments(argv, { program, width: stdout.columns || usualCaller.width });
  switch (parsed.kind) {
    case 'Help':
      return orUnwritten(surroundings, async () => {
        await write(stdout, parsed.text);
        return exitCodes.resolved;
      });
    case 'Wrong':
      await complain(surroundings, `${parsed.message}; see ${parsed.help}`);
      return exitCodes.usage;
    case 'Run':
      try {
        return await orUnwritten(surroundings, () => parsed.run(surroundings));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        await complain(surroundings, error.message);
        return exitCodes.usage;
      }
  }
}

/** Whoever reads a part of the output must not take it for the whole. */
async function orUnwritten(surroundings: Surroundings, act: () => Promise<number>): Promise<number> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Unwritten)) throw error;
    await complain(surroundings, `could not write the output: ${error.message}`);
    return exitCodes.internal;
  }
}
