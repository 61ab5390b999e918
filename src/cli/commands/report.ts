import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { exitCodeOf } from '../../report/exit-code.ts';
import { findReports } from '../../report/find-reports.ts';
import { renderJson } from '../../report/json.ts';
import { mergeReports } from '../../report/merge.ts';
import type { SweepReport } from '../../report/schema.ts';
import { renderTable } from '../../report/table.ts';
import { UsageError } from '../../usage-error.ts';
import { addOutputFlags, type OutputFlags } from '../flags.ts';
import { print, type Run, type Surroundings, usesColour } from '../surroundings.ts';

/** `sidecar-sweeper report merge`: the reports of a sweep's shards as one. */
export function defineReport(program: Command, choose: (run: Run) => void): void {
  const report = program.command('report').description('works with reports that earlier sweeps printed');
  const merge = report
    .command('merge')
    .description("makes one report of those of a sweep's shards; its exit code is that of the whole sweep")
    .argument('[files...]', 'reports, or logs with reports in them (default: -, which is stdin)')
    .addHelpText('after', mergeExample);
  addOutputFlags(merge).action((files: readonly string[], flags: OutputFlags) => {
    choose((surroundings) => runMerge(files.length > 0 ? files : ['-'], flags, surroundings));
  });
}

async function runMerge(
  files: readonly string[],
  { output }: OutputFlags,
  { env, stdin, stdout }: Surroundings,
): Promise<number> {
  const reports: SweepReport[] = [];
  for (const file of files) {
    const found = findReports(file === '-' ? await text(stdin) : await readInput(file));
    if (found.length === 0) throw new UsageError(`there is no report in ${file === '-' ? 'stdin' : file}`);
    reports.push(...found);
  }
  const merged = mergeReports(reports);
  if (merged.kind === 'Apart') throw new UsageError(`cannot merge: ${merged.problem}`);
  const asTable = (output ?? (stdout.isTTY ? 'table' : 'json')) === 'table';
  const { report } = merged;
  const colour = usesColour(stdout, env);
  await print(stdout, asTable ? renderTable(report, { colour }) : renderJson(report));
  return exitCodeOf(report);
}

async function readInput(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`no report can be read: ${error instanceof Error ? error.message : error}`);
  }
}

const mergeExample = `
Example:
  kubectl logs -n sidecar-sweeper -l job-name=sidecar-sweeper --tail=-1 |
    sidecar-sweeper report merge`;
