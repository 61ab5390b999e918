import type { Command } from 'commander';
import { describeCommand } from '../help.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper validate policy.yaml`: every problem in a policy, with its line. */
export function defineValidate(program: Command, choose: (run: Run) => void): void {
  describeCommand(program.command('validate'), 'check a policy file, and print every problem with its line', [
    ['validate policy.yaml', 'check this file'],
  ])
    .argument('<file>', 'the policy; - is stdin')
    .action((file: string) =>
      choose(async (surroundings) => (await import('../runs/validate.ts')).runValidate(file, surroundings)),
    );
}
