import { type Command, Option } from 'commander';

export interface ColorFlags {
  readonly color?: 'auto' | 'always' | 'never';
}

export function addColorFlag(command: Command): Command {
  const meaning = 'when to use colour (default: auto, on a terminal; NO_COLOR and FORCE_COLOR are heeded)';
  return command.addOption(new Option('--color <when>', meaning).choices(['auto', 'always', 'never']));
}
