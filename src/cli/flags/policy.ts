import { type Command, InvalidArgumentError, Option } from 'commander';
import { exampleImage, imageReference, type NoopPrograms } from '../../model/image.ts';
import type { UncleanExit } from '../../model/step.ts';
import { defaults } from '../../policy/defaults.ts';
import { lastResortNames } from '../../policy/last-resorts.ts';
import { formatDuration, type Millis } from '../../util/time.ts';
import { groups } from '../help.ts';
import { fileName, positiveDuration, wholeNumber } from './values.ts';

/** The flags of a policy, except those of its scope. */
export interface PolicyFileFlags {
  readonly policy?: string;
  readonly annotationCommands?: 'off' | 'allowlist' | 'any';
  readonly uncleanExit?: UncleanExit;
  readonly lastResort?: readonly string[];
  readonly noopImage?: string;
  readonly noopPrograms?: NoopPrograms;
  readonly raiseBackoffLimit?: boolean;
  readonly keepLogs?: number;
  readonly maxGrace?: Millis;
}

export function addPolicyFlags(command: Command): Command {
  return addPolicyFileFlag(command)
    .addOption(
      new Option(
        '--annotation-commands <mode>',
        `run none of the kill commands in pods' annotations, those on the policy's allowlist, or any (default: ${defaults.annotationCommands})`,
      ).choices(['off', 'allowlist', 'any']),
    )
    .addOption(
      new Option(
        '--unclean-exit <mode>',
        `if a sidecar may exit with a non-zero code and finished work would then run again or fail, send nothing (forbid) or go on (allow) (default: ${defaults.uncleanExit})`,
      )
        .choices(['allow', 'forbid'])
        .helpGroup(groups.safety),
    )
    .addOption(
      new Option(
        '--last-resort <method>',
        'do this if a sidecar outlives every gentler step; may be repeated, in order of preference',
      )
        .choices(lastResortNames)
        .argParser(collectLastResort),
    )
    .option(
      '--noop-image <image>',
      "swap a sidecar's image for this one before any step whose end is uncertain, or as --last-resort image-swap",
      readImage,
    )
    .option(
      '--noop-programs <programs>',
      "say which programs that image has: shipped for this project's image, or a comma-separated list",
      readPrograms,
    )
    .option(
      '--raise-backoff-limit',
      'raise the backoffLimit of a Job that would otherwise fail, because it counts an image swap as a restart',
    )
    .option(
      '--keep-logs <lines>',
      "keep this many of the last lines of a sidecar's log in the report before its image is swapped (default: none)",
      wholeNumber(0, defaults.mostKeptLines),
    )
    .option(
      '--max-grace <duration>',
      `wait for one pod no longer than this, in all its steps together; the next sweep goes on (default: ${formatDuration(defaults.maxGrace)})`,
      positiveDuration,
    );
}

export function addPolicyFileFlag(command: Command): Command {
  return command
    .optionsGroup(groups.ending)
    .option('--policy <file>', 'read this SweepPolicy file; flags take precedence over it', fileName);
}

function readImage(value: string): string {
  if (!imageReference.test(value)) throw new InvalidArgumentError(`Write an image such as ${exampleImage}.`);
  return value;
}

function readPrograms(value: string): NoopPrograms {
  if (value === 'shipped') return value;
  const programs = value.split(',');
  if (programs.includes(''))
    throw new InvalidArgumentError('Write shipped, or a list such as sh,/bin/proxy.');
  return programs;
}

function collectLastResort(value: string, before: readonly string[] = []): readonly string[] {
  if (!lastResortNames.includes(value)) {
    throw new InvalidArgumentError(`Allowed choices are ${lastResortNames.join(', ')}.`);
  }
  return [...before, value];
}
