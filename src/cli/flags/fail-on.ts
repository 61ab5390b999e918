import { type Command, Option } from 'commander';
import { type FailOn, failOns } from '../../report/exit-code.ts';

export interface FailOnFlags {
  readonly failOn?: FailOn;
}

export function addFailOnFlag(command: Command): Command {
  const option = new Option(
    '--fail-on <what>',
    'with error, do not fail for pods that are left stuck or held (default: unresolved)',
  );
  return command.addOption(option.choices(failOns));
}
