import { exitCodes } from '../report/exit-code.ts';
import { UsageError } from '../usage-error.ts';
import { usualCaller } from './help.ts';
import { complain, print } from './output.ts';
import { parseArguments } from './program.ts';
import type { Surroundings } from './surroundings.ts';

/** The whole program: argv in, exit code out. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { program = usualCaller.program, stdout } = surroundings;
  const parsed = parseArguments(argv, { program, width: stdout.columns || usualCaller.width });
  switch (parsed.kind) {
    case 'Help':
      await print(surroundings.stdout, parsed.text);
      return exitCodes.resolved;
    case 'Wrong':
      await complain(surroundings, `${parsed.message}; see ${parsed.help}`);
      return exitCodes.usage;
    case 'Run':
      try {
        return await parsed.run(surroundings);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        await complain(surroundings, error.message);
        return exitCodes.usage;
      }
  }
}
