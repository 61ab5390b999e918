import type { Command, CommanderError } from 'commander';
import { didYouMean, nearest } from './nearest.ts';

/** What people expect to be a command. */
const sweep = 'sweep';

/** One line about a command line that cannot be understood, and what to type instead. */
export function whatIsWrong({ code, message }: CommanderError, program: Command): string {
  const [word = '', second = ''] = program.args.filter((arg) => arg !== '--');
  if (code === 'commander.excessArguments') {
    return namesOf(program).includes(word) ? tooMany(word, second) : unknownWord(word, program);
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
    ? `unknown command '${word}': a sweep is what runs without a command`
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

function tooMany(command: string, word: string): string {
  return `'${command}' takes no argument such as '${word}'; to name a namespace, use -n`;
}
