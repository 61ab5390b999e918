import type { Command, CommanderError } from 'commander';
import { didYouMean, nearest } from './nearest.ts';

/** What people expect to be a command. */
const sweep = 'sweep';

/** One line about a command line that cannot be understood, and what to type instead. */
export function whatIsWrong({ code, message }: CommanderError, program: Command): string {
  const [word = '', second = ''] = program.args.filter((arg) => arg !== '--');
  const names = program.commands.map((command) => command.name());
  if (code === 'commander.excessArguments') {
    return names.includes(word) ? tooMany(word, second) : unknownCommand(word, names);
  }
  if (code === 'commander.help') {
    return word === 'help'
      ? `unknown command '${second}'${didYouMean(second, names)}`
      : `'${word}' needs a subcommand`;
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

/** A word after the flags of a sweep, which takes none. */
function unknownCommand(word: string, names: readonly string[]): string {
  const meant = nearest(word, [...names, sweep]);
  if (meant === sweep) return `unknown command '${word}': a sweep is what runs without a command`;
  const otherwise = meant === undefined ? '; to sweep a namespace, use -n' : didYouMean(word, names);
  return `unknown command '${word}'${otherwise}`;
}

function tooMany(command: string, word: string): string {
  return `'${command}' takes no argument such as '${word}'; to name a namespace, use -n`;
}
