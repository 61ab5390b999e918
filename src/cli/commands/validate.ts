import type { Command } from 'commander';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper validate policy.yaml`: every problem in a policy, with its line. */
export function defineValidate(program: Command, choose: (run: Run) => void): void {
  program
    .command('validate')
    .description('check a policy file, and print every problem with its line')
    .argument('<file>', 'the policy')
    .action((file: string) =>
      choose(async (surroundings) => (await import('../runs/validate.ts')).runValidate(file, surroundings)),
    );
}
