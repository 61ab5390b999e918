import { readPolicy } from '../../policy/file.ts';
import { printable } from '../../printable.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { print, write } from '../output.ts';
import { readText } from '../policy.ts';
import type { Surroundings } from '../surroundings.ts';

export async function runValidate(file: string, { stdout, stderr }: Surroundings): Promise<number> {
  const read = readPolicy(readText(file));
  switch (read.kind) {
    case 'Policy':
      await write(stdout, `${printable(file)} is a valid SweepPolicy\n`);
      return exitCodes.resolved;
    case 'Wrong':
      // Its names and values are other people's input.
      await print(
        stderr,
        read.problems.map(({ line, message }) => `${printable(`${file}:${line}: ${message}`)}\n`).join(''),
      );
      return exitCodes.usage;
  }
}
