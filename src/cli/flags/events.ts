import type { Command } from 'commander';
import { groups } from '../help.ts';

export interface EventFlags {
  readonly events?: boolean;
}

export function addEventFlags(command: Command): Command {
  return command
    .optionsGroup(groups.output)
    .option(
      '--events',
      'write a Kubernetes Event for every pod that was handled, and for every Job that was harmed',
    );
}
