import { text } from 'node:stream/consumers';
import { readPolicy } from '../../policy/policy-file.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { printable } from '../../util/text.ts';
import { UsageError } from '../../util/usage-error.ts';
import { type Io, print, write } from '../io.ts';
import { readText } from '../policy.ts';

export async function runValidate(
  file: string,
  { stdin, stdout, stderr }: Pick<Io, 'stdin' | 'stdout' | 'stderr'>,
): Promise<number> {
  const isStdin = file === '-';
  if (isStdin && stdin.isTTY) throw new UsageError('name a policy file, or pipe one in');
  const read = readPolicy(isStdin ? await text(stdin) : readText(file));
  const name = isStdin ? 'stdin' : printable(file);
  if (read.kind === 'Policy') {
    await write(stdout, `${name} is a valid SweepPolicy\n`);
    return exitCodes.resolved;
  }
  // Problems quote names and values of the file.
  const lines = read.problems.map(({ line, message }) => `${printable(`${name}:${line}: ${message}`)}\n`);
  await print(stderr, lines.join(''));
  return exitCodes.usage;
}
