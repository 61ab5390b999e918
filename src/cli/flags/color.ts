import { type Command, Option } from 'commander';

export interface ColorFlags {
  readonly color?: 'auto' | 'always' | 'never';
}

export function addColorFlag(command: Command): Command {
  const meaning =
    'use colour; auto does on a terminal, unless NO_COLOR or FORCE_COLOR says otherwise (default: auto)';
  return command.addOption(new Option('--color <when>', meaning).choices(['auto', 'always', 'never']));
}
