import type { Command } from 'commander';
import { readPolicy } from '../../policy/file.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { print } from '../output.ts';
import { readText } from '../policy.ts';
import type { Run, Surroundings } from '../surroundings.ts';

/** `sidecar-sweeper validate policy.yaml`: every problem in a policy, with its line. */
export function defineValidate(program: Command, choose: (run: Run) => void): void {
  program
    .command('validate')
    .description('check a policy file, and print every problem with its line')
    .argument('<file>', 'the policy')
    .action((file: string) => choose((surroundings) => validate(file, surroundings)));
}

async function validate(file: string, { stdout, stderr }: Surroundings): Promise<number> {
  const read = readPolicy(readText(file));
  switch (read.kind) {
    case 'Policy':
      await print(stdout, `${file} is a valid SweepPolicy\n`);
      return exitCodes.resolved;
    case 'Wrong':
      await print(stderr, read.problems.map(({ line, message }) => `${file}:${line}: ${message}\n`).join(''));
      return exitCodes.usage;
  }
}
