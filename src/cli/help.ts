import { type Command, type CommanderError, Help, type Option } from 'commander';
import { exitCodeMeanings, exitCodes } from '../report/exit-code.ts';
import { didYouMean } from '../util/text.ts';

/** The words that run the program, such as `kubectl sweep-sidecars`, and the width of its output. */
export const usualCaller = { program: 'sidecar-sweeper', width: 80 };

/** Below this width, descriptions go under their flags instead of beside them. */
const narrow = 72;

/** Narrower help is not worth wrapping; wider lines are hard to read. */
const [leastWide, widest] = [30, 120];

const usualHelp = Object.assign(new Help(), { minWidthToWrap: 10 });

/** Commands that are added later inherit the settings. */
export function fitHelp(command: Command, { width }: typeof usualCaller): Command {
  const helpWidth = Math.max(leastWide, Math.min(width, widest));
  const stacked: Help['formatItem'] = (term, _width, description, helper) => {
    const lines = helper.boxWrap(description, helpWidth - 6).split('\n');
    return [`  ${term}`, ...(description === '' ? [] : lines.map((line) => `      ${line}`))].join('\n');
  };
  return command.configureHelp({
    helpWidth,
    minWidthToWrap: 10,
    // Examples, which are the only lines indented by two, are not wrapped, so that they can be copied.
    boxWrap: (text, width) => text.replace(/^(?! {2}\S).*$/gm, (line) => usualHelp.boxWrap(line, width)),
    ...(helpWidth < narrow && { formatItem: stacked }),
  });
}

/** A command line without the program's name, and what it does. */
export type Example = readonly [line: string, does: string];

export function describeCommand(command: Command, summary: string, examples: readonly Example[]): Command {
  const program = programOf(command).name();
  const { helpWidth = usualCaller.width } = command.configureHelp();
  const lines = examples.map(([line, does]) => [`  ${program} ${line}`, does] as const);
  const longest = Math.max(...lines.map(([line]) => line.length));
  const fits = lines.every(([, does]) => longest + 2 + does.length <= Math.min(helpWidth, usualCaller.width));
  const shown = lines.map(([line, does]) =>
    fits ? `${line.padEnd(longest)}  ${does}` : `${line}\n      ${does}`,
  );
  const does = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return command.summary(summary).description([does, '', 'Examples:', ...shown].join('\n'));
}

function programOf(command: Command): Command {
  return command.parent ? programOf(command.parent) : command;
}

export const exitCodeHelp = `
Exit codes:
${Object.entries(exitCodeMeanings)
  .map(([name, meaning]) => `  ${exitCodes[name as keyof typeof exitCodes]}  ${meaning}`)
  .join('\n')}`;

export function describeUsageError({ code, message }: CommanderError, program: Command): string {
  const command = program.commands.find((each) => each.name() === program.args[0]);
  const hasNamespaces = command?.options.some(({ long }) => long === '--namespace');
  const hint = code === 'commander.excessArguments' && hasNamespaces ? '; to name a namespace, use -n' : '';
  // Commander puts its suggestion on a separate line.
  const line = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ')
    .replace('(Did you', '(did you')
    .replace(/^command-argument value ('.*') is invalid for argument '(\w+)'/, 'unknown $2 $1')
    .trim();
  return `${line}${hint}`;
}

export function describeUnknownCommand(word: string, command: Command): string {
  const names = subcommands(command).map((each) => each.name());
  const typed = command.parent ? `${command.name()} ${word}` : word;
  return `unknown command '${typed}'${didYouMean(word, names)}`;
}

export function subcommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

/** Flags of any command may precede the command. */
export function optionNamed(command: Command, name: string): Option | undefined {
  const options = [command, ...command.commands].flatMap((each) => [...each.options]);
  return options.find(({ long, short }) => name === long || name === short);
}
