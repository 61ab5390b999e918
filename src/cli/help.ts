import { type Command, Help } from 'commander';

/** The groups of flags, in the order in which help shows them. */
export const groups = {
  scope: 'What to sweep:',
  ending: 'How to end sidecars:',
  safety: 'Safety:',
  output: 'Output:',
  connection: 'Connection:',
  other: 'Other:',
} as const;

/** How the program was called, and how wide what it says may be. */
export interface Caller {
  /** The words before the arguments. */
  readonly program: string;
  readonly width: number;
}

export const usualCaller: Caller = { program: 'sidecar-sweeper', width: 80 };

/** Below this, flags and what they mean have no room side by side. */
const narrow = 72;

/** Below this, whatever wraps is no easier to read. */
const leastWide = 30;

/** Above this, lines are too long to read. */
const widest = 120;

/** Where there is less room than this for a description, it is not wrapped. */
const minWidthToWrap = 10;

const usualHelp = Object.assign(new Help(), { minWidthToWrap });

/** An example stays whole, to be copied; it alone is indented by two. */
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

/** What a command does, and before anything else how it is used. */
export function describeCommand(command: Command, summary: string, examples: readonly Example[]): Command {
  const program = programOf(command).name();
  const { helpWidth = usualCaller.width } = programOf(command).configureHelp();
  const lines = examples.map(([line, does]) => [`  ${program} ${line}`.trimEnd(), does] as const);
  const longest = Math.max(...lines.map(([line]) => line.length));
  const fits = lines.every(([, does]) => longest + 2 + does.length <= Math.min(helpWidth, usualCaller.width));
  const shown = lines.map(([line, does]) =>
    fits ? `${line.padEnd(longest)}  ${does}` : `${line}\n      ${does}`,
  );
  return command
    .summary(summary)
    .description([`${capitalized(summary)}.`, '', 'Examples:', ...shown].join('\n'));
}

function programOf(command: Command): Command {
  return command.parent ? programOf(command.parent) : command;
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
