import type { Command } from 'commander';
import { UsageError } from '../../util/usage-error.ts';
import { describeCommand } from '../help.ts';
import { unknownCommand } from '../what-is-wrong.ts';

/** `sidecar-sweeper help report merge`: the same as `report merge --help`. */
export function defineHelp(program: Command): void {
  const command = program.helpCommand(false).command('help');
  describeCommand(command, 'show help for a command', [
    ['help', 'show help for a sweep'],
    ['help report merge', 'show help for a subcommand'],
  ])
    .argument('[command...]', 'the command (default: a sweep)')
    .action((words: readonly string[]) => {
      words.reduce(subcommandOf, program).help();
    });
}

function subcommandOf(command: Command, word: string): Command {
  const found = command.commands.find((each) => each.name() === word);
  if (found) return found;
  throw new UsageError(unknownCommand(word, command));
}
