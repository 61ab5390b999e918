import { type Command, type CommanderError, Help, type Option } from 'commander';
import { formerFlags } from '../policy/flags.ts';
import { count } from '../report/counts.ts';
import { exitCodeMeanings, exitCodes } from '../report/exit-code.ts';
import { didYouMean } from '../util/text.ts';

/** How the program was called, and how wide its help may be. */
export interface Caller {
  /** The words before the arguments. */
  readonly program: string;
  readonly width: number;
}

export const usualCaller: Caller = { program: 'sidecar-sweeper', width: 80 };

/** Below this, descriptions stand under their flags instead of beside them. */
const narrow = 72;

/** Below this, wrapping makes nothing easier to read. */
const leastWide = 30;

/** Above this, lines are too long to read. */
const widest = 120;

/** A description with less space than this is not wrapped. */
const minWidthToWrap = 10;

const usualHelp = Object.assign(new Help(), { minWidthToWrap });

/** Examples, which alone are indented by two, are not wrapped, so that they can be copied. */
function wrapped(text: string, width: number): string {
  const lines = text.split('\n');
  return lines.map((line) => (/^ {2}\S/.test(line) ? line : usualHelp.boxWrap(line, width))).join('\n');
}

/** Fits help to the terminal. Commands that are added afterwards inherit it. */
export function fitHelp(command: Command, { width }: Caller): Command {
  const helpWidth = Math.max(leastWide, Math.min(width, widest));
  const underEachOther: Help['formatItem'] = (term, _width, description, helper) => {
    const lines = helper.boxWrap(description, helpWidth - 6).split('\n');
    return [`  ${term}`, ...(description === '' ? [] : lines.map((line) => `      ${line}`))].join('\n');
  };
  return command.configureHelp({
    helpWidth,
    minWidthToWrap,
    boxWrap: wrapped,
    ...(helpWidth < narrow && { formatItem: underEachOther }),
  });
}

/** An example of a command line, without the program's name, and what it does. */
export type Example = readonly [line: string, does: string];

/** Says what a command does and shows how it is used, before everything else. */
export function describeCommand(command: Command, summary: string, examples: readonly Example[]): Command {
  const program = programOf(command).name();
  const { helpWidth = usualCaller.width } = command.configureHelp();
  const lines = examples.map(([line, does]) => [`  ${program} ${line}`.trimEnd(), does] as const);
  const longest = Math.max(...lines.map(([line]) => line.length));
  const fits = lines.every(([, does]) => longest + 2 + does.length <= Math.min(helpWidth, usualCaller.width));
  const shown = lines.map(([line, does]) =>
    fits ? `${line.padEnd(longest)}  ${does}` : `${line}\n      ${does}`,
  );
  return command
    .summary(summary)
    .description(
      [`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, '', 'Examples:', ...shown].join('\n'),
    );
}

function programOf(command: Command): Command {
  return command.parent ? programOf(command.parent) : command;
}

export const exitCodeHelp = `
Exit codes:
${Object.entries(exitCodeMeanings)
  .map(([name, meaning]) => `  ${exitCodes[name as keyof typeof exitCodes]}  ${meaning}`)
  .join('\n')}`;

/** One line about a command line that is not valid, and what to type instead. */
export function describeUsageError({ code, message }: CommanderError, program: Command): string {
  const [name] = program.args;
  const command = program.commands.find((each) => each.name() === name);
  if (code === 'commander.excessArguments' && command) return describeExcess(command);
  // Commander puts its suggestion on a separate line.
  return message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ')
    .replace('(Did you', '(did you')
    .replace(/^command-argument value ('.*') is invalid for argument '(\w+)'/, 'unknown $2 $1')
    .trim();
}

/** Where to say what flags said that are no longer flags; undefined if no word is such a flag. */
export function describeFormerFlag(words: readonly string[]): string | undefined {
  const flags = words.map((word) => word.split('=', 1)[0] ?? '');
  const all = [...new Set(flags)].filter((each) => Object.hasOwn(formerFlags, each));
  const now = all.map((flag) => `${flag} is now ${formerFlags[flag]}`).join(', ');
  return now === '' ? undefined : `${now} in the policy file (--policy); schema sweep-policy describes it`;
}

export function describeUnknownCommand(word: string, command: Command): string {
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
  const typed = command.parent ? `${command.name()} ${word}` : word;
  return `unknown command '${typed}'${didYouMean(word, names)}`;
}

export function isNamed({ long, short }: Option, name: string): boolean {
  return name === long || name === short;
}

function describeExcess(command: Command): string {
  const { args, options, registeredArguments } = command;
  const [most, name] = [registeredArguments.length, command.name()];
  const word = args[most];
  if (most > 0) return `'${name}' takes ${count(most, 'argument')}; '${word}' is one too many`;
  const hint = options.some(({ long }) => long === '--namespace') ? '; to name a namespace, use -n' : '';
  return `'${name}' takes no arguments, but '${word}' was given${hint}`;
}
