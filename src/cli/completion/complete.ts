import type { Argument, Command, Option } from 'commander';

/** A word that could be typed, and what it means. */
export interface Word {
  readonly value: string;
  readonly means?: string;
}

/** What could stand where the cursor is. */
export type Completion =
  | { readonly kind: 'Words'; readonly words: readonly Word[] }
  | { readonly kind: 'Files' }
  /** What a placeholder such as `<namespace>` stands for; `before` stands in the same word. */
  | { readonly kind: 'Named'; readonly placeholder: string; readonly before: string };

export interface Completed {
  readonly completion: Completion;
  /** The flags that were typed, as they were. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Completes the last of these words from commander's own tables. */
export function complete(program: Command, typed: readonly string[]): Completed {
  if (typed[0] === 'help' && typed.length > 1) return complete(program, typed.slice(1));
  const current = typed.at(-1) ?? '';
  const flags: Record<string, string> = {};
  let command = program;
  let open: Option | undefined;
  let positional = 0;
  for (const word of typed.slice(0, -1)) {
    if (open) {
      flags[open.attributeName()] = word;
      open = undefined;
    } else if (word.startsWith('-')) {
      const [name = '', ...value] = word.split('=');
      const option = optionNamed(command, name);
      if (option && value.length > 0) flags[option.attributeName()] = value.join('=');
      else if (option && takesValue(option)) open = option;
    } else {
      const sub = positional === 0 ? subcommands(command).find((each) => each.name() === word) : undefined;
      if (sub) command = sub;
      else positional++;
    }
  }
  return { flags, completion: completionOf(command, { current, open, positional }) };
}

interface Cursor {
  readonly current: string;
  /** The option whose value is being typed. */
  readonly open: Option | undefined;
  /** How many arguments come before. */
  readonly positional: number;
}

function completionOf(command: Command, { current, open, positional }: Cursor): Completion {
  if (open) return valuesOf(placeholderOf(open), open.argChoices, '');
  if (current.startsWith('--') && current.includes('=')) {
    const name = current.slice(0, current.indexOf('='));
    const option = optionNamed(command, name);
    return option ? valuesOf(placeholderOf(option), option.argChoices, `${name}=`) : noWords;
  }
  if (current.startsWith('-'))
    return { kind: 'Words', words: command.createHelp().visibleOptions(command).flatMap(flagWords) };
  const subs = positional === 0 ? subcommands(command) : [];
  if (subs.length > 0) {
    const words = subs.map((each) => ({ value: each.name(), means: each.summary() || each.description() }));
    return { kind: 'Words', words };
  }
  const argument = argumentAt(command, positional);
  return argument ? valuesOf(argument.name(), argument.argChoices, '') : noWords;
}

const noWords: Completion = { kind: 'Words', words: [] };

function valuesOf(placeholder: string, choices: readonly string[] | undefined, before: string): Completion {
  if (choices) return { kind: 'Words', words: choices.map((choice) => ({ value: before + choice })) };
  if (placeholder === 'file' || placeholder === 'files') return { kind: 'Files' };
  return { kind: 'Named', placeholder, before };
}

function flagWords({ long, short, description }: Option): readonly Word[] {
  return [long, short].flatMap((value) => (value ? { value, means: description } : []));
}

function subcommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

function optionNamed(command: Command, name: string): Option | undefined {
  return command.options.find(({ long, short }) => name === long || name === short);
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** What its value is called: `namespace` of `--namespace <namespace>`. */
function placeholderOf({ flags }: Option): string {
  return /<([^>]+)>/.exec(flags)?.[1] ?? '';
}

function argumentAt({ registeredArguments }: Command, position: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[position] ?? (last?.variadic ? last : undefined);
}
