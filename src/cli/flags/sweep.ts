import { type Command, Option } from 'commander';
import { defaults } from '../../policy/defaults.ts';
import type { Millis } from '../../util/time.ts';
import { groups } from '../help.ts';
import { addSweepOutputFlags, type OutputFlags } from '../output.ts';
import { addBrakeFlags, type BrakeFlags } from './brake.ts';
import { addCapFlags, type CapFlags } from './caps.ts';
import { addConnectionFlags, type ConnectionFlags } from './connection.ts';
import { addEventFlags, type EventFlags } from './events.ts';
import { addFailOnFlag, type FailOnFlags } from './fail-on.ts';
import { addLockFlags, type LockFlags } from './lock.ts';
import { type LogLevel, logLevels } from './log-level.ts';
import { addPolicyFlags, type PolicyFileFlags } from './policy.ts';
import { addPublishFlags, type PublishFlags } from './publish.ts';
import { addScopeFlags, type ScopeFlags } from './scope.ts';
import { addShardFlags, type ShardFlags } from './shard.ts';
import { positiveDuration, wholeNumber } from './values.ts';

export interface SweepFlags
  extends ConnectionFlags,
    ScopeFlags,
    ShardFlags,
    PolicyFileFlags,
    CapFlags,
    BrakeFlags,
    LockFlags,
    EventFlags,
    FailOnFlags,
    OutputFlags,
    PublishFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly concurrency: number;
  readonly deadline?: Millis;
  readonly logLevel?: LogLevel;
  readonly verbose?: boolean;
}

export function addSweepFlags(command: Command): Command {
  addBrakeFlags(addCapFlags(addPolicyFlags(addShardFlags(addScopeFlags(command)))))
    .optionsGroup(groups.safety)
    .option('--dry-run', 'show what would be done, and change nothing')
    .option('-y, --yes', 'sweep without asking; needed where nobody can be asked, except in a pod')
    .option(
      '--deadline <duration>',
      'stop the sweep after this time; the report is still printed',
      positiveDuration,
    );
  addSweepOutputFlags(addLockFlags(command))
    .option('-v, --verbose', 'list every pod that was left alone, with the reasons')
    .addOption(
      new Option(
        '--log-level <level>',
        'log on stderr from this level up (default: info; error on a terminal)',
      ).choices(logLevels),
    );
  return addConnectionFlags(addPublishFlags(addFailOnFlag(addEventFlags(command)))).option(
    '--concurrency <number>',
    'send no more requests at a time than this',
    wholeNumber(1, 1000),
    defaults.concurrency,
  );
}
