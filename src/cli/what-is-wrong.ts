import type { Command, CommanderError } from 'commander';
import { count } from '../report/counts.ts';
import { didYouMean, nearest } from '../util/text.ts';
import { UsageError } from '../util/usage-error.ts';

/** What people expect to be a command. */
const sweep = 'sweep';

/** One line about a command line that cannot be understood, and what to type instead. */
export function whatIsWrong({ code, message }: CommanderError, program: Command): string {
  if (code === 'commander.excessArguments') {
    const [word = ''] = program.args.filter((arg) => arg !== '--');
    const command = program.commands.find((each) => each.name() === word);
    return command ? tooMany(command) : unknownWord(word, program);
  }
  // Commander puts its suggestion on a separate line.
  return message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ')
    .replace('(Did you', '(did you')
    .replace(/^command-argument value ('.*') is invalid for argument '(\w+)'/, 'unknown $2 $1')
    .trim();
}

/** A word that is no command of the program, or of one of its commands. */
export function unknownCommand(word: string, command: Command): string {
  const names = namesOf(command);
  if (command.parent) return `unknown command '${command.name()} ${word}'${didYouMean(word, names)}`;
  return nearest(word, [...names, sweep]) === sweep
    ? `unknown command '${word}': to sweep, leave the command out`
    : `unknown command '${word}'${didYouMean(word, names)}`;
}

/** A word after the flags of a sweep, which takes none. */
function unknownWord(word: string, program: Command): string {
  const isLikeNone = nearest(word, [...namesOf(program), sweep]) === undefined;
  return `${unknownCommand(word, program)}${isLikeNone ? '; to sweep a namespace, use -n' : ''}`;
}

function namesOf(command: Command): readonly string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
}

function tooMany(command: Command): string {
  const { args, options, registeredArguments } = command;
  const [most, name] = [registeredArguments.length, command.name()];
  const word = args[most];
  if (most > 0) return `'${name}' takes ${count(most, 'argument')}; '${word}' is one too many`;
  const hint = options.some(({ long }) => long === '--namespace') ? '; to name a namespace, use -n' : '';
  return `'${name}' takes no arguments, but '${word}' was given${hint}`;
}

/** A flag before the name of a command belongs to what is before it, and would be ignored. Throws UsageError. */
export function refuseFlagsBefore(command: Command, sub: Command): void {
  const ignored = command.options.find((option) => {
    const name = option.attributeName();
    const isNegated = command.getOptionValue(name) === false;
    return command.getOptionValueSource(name) === 'cli' && option.negate === isNegated;
  });
  if (!ignored) return;
  throw new UsageError(`${ignored.long} has no effect before '${sub.name()}'; write flags after the command`);
}
