import { Command } from 'commander';
import { type Parts, parts } from './parts.ts';

/** What the command line asks for. */
export interface Asked {
  readonly parts: Parts;
  readonly rounds: number;
  readonly json: boolean;
  readonly write: boolean;
}

/** Ends the process with code 2 if the flags make no sense. */
export function readFlags(): Asked {
  const command = new Command('npm run bench --')
    .option('--only <parts>', `run only these parts, with commas: ${Object.keys(parts).join(', ')}`)
    .option('--rounds <number>', 'how often each way runs; no round begins after a minute', Number, 5)
    .option('--json', 'print one JSON object on stdout, with a key for each part')
    .option('--write', 'write the figures of all parts into docs/internals/performance.md')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse();
  const {
    only,
    rounds,
    json = false,
    write = false,
  } = command.opts<Partial<Asked> & { only?: string; rounds: number }>();
  const names = only?.split(',') ?? Object.keys(parts);
  const unknown = names.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined)
    command.error(`error: there is no part ${unknown}; the parts are ${Object.keys(parts).join(', ')}`);
  if (!Number.isInteger(rounds) || rounds < 1) command.error('error: --rounds takes a whole number from 1');
  if (write && only !== undefined) command.error('error: --write needs all parts, without --only');
  const asked = Object.entries(parts).filter(([name]) => names.includes(name));
  return { parts: Object.fromEntries(asked), rounds, json, write };
}
