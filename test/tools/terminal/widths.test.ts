import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { allCases, type CommandCases, packsOf } from '../../cluster/cli/flags/cases.ts';
import { FlagCluster } from '../../cluster/cli/flags/cluster.ts';
import { itUnless } from '../../kit/needs.ts';
import { startedOnce } from '../../kit/started.ts';
import { linesOf, noTerminal, runOnTerminal, tooLong } from '../../kit/terminal.ts';

const cluster = startedOnce(() => FlagCluster.start());

describe.each(allCases)('sidecar-sweeper $command $usual', (each) => {
  for (const columns of [0, 40, 100]) {
    itUnless(noTerminal, `fits a terminal of ${columns} columns with every flag`, async () => {
      const wrong: string[] = [];
      for (const pack of packsOf(each)) wrong.push(...(await wrongOn(columns, pack, each)));
      expect(wrong).toEqual([]);
    });
  }
});

/** What is wrong with a run on a terminal: an internal error, or lines that do not fit. */
async function wrongOn(
  columns: number,
  pack: string,
  { command, usual }: CommandCases,
): Promise<readonly string[]> {
  const flags = cluster.argvOf(`${command} ${usual} ${pack}`);
  const needsCluster = !/^(?:profiles|validate|report|completion|help)\b/.test(command);
  const config =
    needsCluster && !flags.includes('--kubeconfig')
      ? ['--kubeconfig', join(cluster.folder, 'kubeconfig')]
      : [];
  const shown = await runOnTerminal(`cols ${columns} rows 50`, [...flags, ...config], [['[y/N]', 'n\n']]);
  const lines = columns === 0 || !isForPeople(command, pack) ? [] : linesOf(shown).slice(1);
  const wrong = tooLong(lines, columns).filter(isLaidOut);
  return [...(shown.exitCode === 1 ? ['exit code 1'] : []), ...wrong].map((what) => `${pack}: ${what}`);
}

/** Errors and usage are one line each. */
function isLaidOut(line: string): boolean {
  return !/^(?:sidecar-sweeper: |Usage: |\/| {2}\d {2})/.test(line);
}

/** Completion prints a script, and some forms of output are for programs. */
function isForPeople(command: string, pack: string): boolean {
  const isForPrograms =
    /-output (?:json|yaml|ndjson|markdown|html|name|admission-policy)(?! .*-output (?:table|wide))/.test(
      pack,
    );
  return command !== 'completion' && !isForPrograms;
}
