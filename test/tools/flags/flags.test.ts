import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { runCli } from '../../kit/cli.ts';
import type { RequestRecord } from '../../kit/emulator/index.ts';
import { itUnless } from '../../kit/needs.ts';
import { linesOf, noTerminal, runOnTerminal, tooLong } from '../../kit/terminal.ts';
import { allCases, type CommandCases, type FlagCase, packsOf } from './cases.ts';
import { FlagCluster, type Seat } from './cluster.ts';

let given: FlagCluster;
beforeAll(async () => {
  given = await FlagCluster.start();
});
afterAll(() => given.stop());

function argvOf(words: string, written = ''): readonly string[] {
  return words
    .replaceAll('{folder}', given.folder)
    .replaceAll('{written}', written)
    .split(' ')
    .filter(Boolean);
}

const seen = new Map<string, Promise<string>>();

/** Everything that can be seen of a run, which is the same each time. */
function observe(words: string, { columns, env = {} }: FlagCase): Promise<string> {
  const key = JSON.stringify([words, columns, env]);
  const known = seen.get(key);
  if (known) return known;
  const run =
    columns === undefined ? inPipe(words, env) : onTerminal(words, columns).then(({ text }) => text);
  seen.set(key, run);
  return run;
}

/** In a pipe, that is what it says, how it exits, what it writes and what it asks the cluster for. */
async function inPipe(words: string, env: FlagCase['env']): Promise<string> {
  const seat = given.seats.pop();
  if (!seat) throw new Error('more runs are under way than there are seats');
  const { requests } = given.cluster.emulator;
  const before = requests.length;
  const run = await runCli(argvOf(words, seat.written), {
    env: { KUBECONFIG: seat.kubeconfig, JOB_COMPLETION_INDEX: '0', ...env },
    withoutYes: true,
  });
  const asked = requests.slice(before).filter(({ token }) => token === seat.token);
  const files = await takeFiles(seat);
  const crowded = given.crowded.delete(seat.token) ? ['execs side by side'] : [];
  given.seats.push(seat);
  const said = [`exit code ${run.exitCode}`, run.stdout, run.stderr];
  return [...said, ...files, ...describeRequests(asked), ...crowded].join('\n');
}

async function takeFiles({ written }: Seat): Promise<readonly string[]> {
  const names = await readdir(written);
  const files = names.map(async (name) => `${name}: ${await readFile(join(written, name), 'utf8')}`);
  const texts = await Promise.all(files);
  await rm(written, { recursive: true });
  await mkdir(written);
  return texts;
}

function describeRequests(asked: readonly RequestRecord[]): readonly string[] {
  const each = asked.map(({ verb, resource, subresource, namespace, name }) =>
    [verb, [resource, subresource].filter(Boolean).join('/'), namespace, resource === 'leases' ? name : '']
      .filter(Boolean)
      .join(' '),
  );
  return [...new Set(each)];
}

function onTerminal(words: string, columns: number, presses: Parameters<typeof runOnTerminal>[2] = []) {
  const flags = argvOf(words);
  const isGiven = flags.includes('--kubeconfig') || !needsCluster(words);
  const config = isGiven ? [] : ['--kubeconfig', join(given.folder, 'kubeconfig')];
  return runOnTerminal(`cols ${columns} rows 50`, [...flags, ...config], presses);
}

// As many side by side as there are seats: most of them wait, and the others take turns.
describe.concurrent.each(allCases)('sidecar-sweeper $command $usual', (each) => {
  const { command, usual, cases } = each;

  for (const one of cases) {
    const { words, beside = '', shows, hides, same, columns } = one;
    const does = same === undefined ? 'changes what can be seen' : `changes nothing: ${same}`;
    const missing = columns === undefined ? undefined : noTerminal;
    itUnless(missing, `${beside} ${words} ${does}`, async () => {
      const without = await observe(`${command} ${usual} ${beside}`, one);
      const given = await observe(`${command} ${usual} ${beside} ${words}`, one);
      expect(given).not.toMatch(/^exit code [12]$/m);
      if (shows) expect(without).not.toMatch(shows);
      if (shows) expect(given).toMatch(shows);
      if (hides) expect(without).toMatch(hides);
      if (hides) expect(given).not.toMatch(hides);
      expect([shows, hides, same].filter(Boolean)).toHaveLength(1);
    });
  }

  for (const columns of [0, 40, 100]) {
    itUnless(noTerminal, `fits a terminal of ${columns} columns with every flag`, async () => {
      const packs = packsOf(each);
      // A server that does not answer is asked again and again, meanwhile the others have their turns.
      const waiting = packs.filter(awaitsServer).map((pack) => wrongOn(columns, pack, each));
      const wrong: string[] = [];
      for (const pack of packs.filter((pack) => !awaitsServer(pack))) {
        wrong.push(...(await wrongOn(columns, pack, each)));
      }
      expect([...wrong, ...(await Promise.all(waiting)).flat()]).toEqual([]);
    });
  }
});

/** What is wrong with a run on a terminal: an internal error, or lines that do not fit. */
async function wrongOn(
  columns: number,
  pack: string,
  { command, usual }: CommandCases,
): Promise<readonly string[]> {
  const shown = await onTerminal(`${command} ${usual} ${pack}`, columns, [['[y/N]', 'n\n']]);
  const lines = columns === 0 || !isForPeople(command, pack) ? [] : linesOf(shown).slice(1);
  const wrong = tooLong(lines, columns).filter(isLaidOut);
  return [...(shown.exitCode === 1 ? ['exit code 1'] : []), ...wrong].map((what) => `${pack}: ${what}`);
}

function awaitsServer(pack: string): boolean {
  return /unreachable|--request-timeout/.test(pack);
}

/** Errors and usage are one line each. */
function isLaidOut(line: string): boolean {
  return !/^(?:sidecar-sweeper: |Usage: |\/| {2}\d {2})/.test(line);
}

/** Completion prints a script, and some forms of output are for programs. */
function isForPeople(command: string, pack: string): boolean {
  const isForPrograms = /-output (?:json|ndjson|markdown|html|name)(?! .*-output (?:table|wide))/.test(pack);
  return command !== 'completion' && !isForPrograms;
}

function needsCluster(words: string): boolean {
  return !/^(?:profiles|validate|report|completion|help)\b/.test(words);
}
