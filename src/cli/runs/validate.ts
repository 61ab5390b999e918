import { text } from 'node:stream/consumers';
import { readPolicy } from '../../policy/file.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { printable } from '../../util/text.ts';
import { UsageError } from '../../util/usage-error.ts';
import { print, write } from '../output.ts';
import { readText } from '../policy.ts';
import type { Surroundings } from '../surroundings.ts';

/** Checks the policy in a file; `-` is stdin. Throws UsageError. */
export async function runValidate(
  file: string,
  { stdin, stdout, stderr }: Pick<Surroundings, 'stdin' | 'stdout' | 'stderr'>,
): Promise<number> {
  const isStdin = file === '-';
  // Whoever forgets what to read would wait for ever.
  if (isStdin && stdin.isTTY) throw new UsageError('name a policy file, or pipe one in');
  const read = readPolicy(isStdin ? await text(stdin) : readText(file));
  const name = isStdin ? 'stdin' : printable(file);
  switch (read.kind) {
    case 'Policy':
      await write(stdout, `${name} is a valid SweepPolicy\n`);
      return exitCodes.resolved;
    case 'Wrong':
      // Its names and values are other people's input.
      await print(
        stderr,
        read.problems.map(({ line, message }) => `${printable(`${name}:${line}: ${message}`)}\n`).join(''),
      );
      return exitCodes.usage;
  }
}
