import { Command } from 'commander';
import { type Parts, parts } from './parts.ts';
import { type Fill, realParts } from './real/parts.ts';

interface Flags {
  readonly only?: string;
  readonly rounds: number;
  readonly json?: boolean;
  readonly write?: boolean;
  readonly real?: boolean;
  readonly fill?: number;
  readonly namespace?: string;
}

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
    .option('--write', 'write the figures into docs/performance.md, where all of a table were measured')
    .option('--real', 'scan the cluster of the current kubeconfig instead; writes nothing there')
    .option('--fill <pods>', 'with --real, also sweep this many pods in a namespace made for them', Number)
    .option('--namespace <name>', 'the name of that namespace, which must not exist (default: generated)')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse();
  const flags = command.opts<Flags>();
  const all = flags.real ? realParts(fillOf(flags)) : parts;
  const names = flags.only?.split(',') ?? Object.keys(all);
  const problem = problemOf(flags, names, all);
  if (problem !== undefined) command.error(`error: ${problem}`);
  const asked = Object.entries(all).filter(([name]) => names.includes(name));
  const { rounds, json = false, write = false } = flags;
  return { parts: Object.fromEntries(asked), rounds, json, write };
}

function problemOf(flags: Flags, names: readonly string[], all: Parts): string | undefined {
  const { real, fill, namespace, write, rounds } = flags;
  const isCount = (value: number) => Number.isInteger(value) && value > 0;
  if (!isCount(rounds)) return '--rounds takes a whole number from 1';
  if (fill !== undefined && !isCount(fill)) return '--fill takes a whole number from 1';
  if (fill !== undefined && !real) return '--fill needs --real';
  if (namespace !== undefined && fill === undefined) return '--namespace needs --fill';
  if (write && real) return '--write is for the emulator, not for --real';
  const unknown = names.find((name) => !Object.hasOwn(all, name));
  if (unknown === undefined) return undefined;
  return `there is no part ${unknown}; the parts are ${Object.keys(all).join(', ')}`;
}

function fillOf({ fill, namespace }: Flags): Fill | undefined {
  const generated = `sidecar-sweeper-bench-${Math.random().toString(36).slice(2, 9)}`;
  return fill === undefined ? undefined : { namespace: namespace ?? generated, pods: fill };
}
