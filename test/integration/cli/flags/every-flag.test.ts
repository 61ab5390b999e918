import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../../cli.ts';
import { itUnless } from '../../../needs.ts';
import { linesOf, noTerminal, runOnTerminal, tooLong } from '../../../terminal.ts';
import { allCases } from './all-cases.ts';
import { packsOf } from './flag-case.ts';
import { FlagCluster } from './flag-cluster.ts';

let given: FlagCluster;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  given = await FlagCluster.start();
  env = { KUBECONFIG: join(given.folder, 'kubeconfig'), JOB_COMPLETION_INDEX: '0' };
});
afterAll(() => given.stop());

const seen = new Map<string, string>();

function argvOf(words: string): readonly string[] {
  return words.replaceAll('{folder}', given.folder).split(' ').filter(Boolean);
}

/** Everything that can be seen of a run in a pipe: what it says, how it exits, what it writes and what it asks the cluster for. */
async function observe(words: string, extra: Readonly<Record<string, string>> = {}): Promise<string> {
  const key = `${words} ${JSON.stringify(extra)}`;
  const known = seen.get(key);
  if (known !== undefined) return known;
  const written = join(given.folder, 'written');
  await mkdir(written);
  const { requests } = given.cluster.emulator;
  const before = requests.length;
  const run = await runCli(argvOf(words), { env: { ...env, ...extra }, withoutYes: true });
  const asked = requests
    .slice(before)
    .map(({ verb, resource, subresource, namespace }) =>
      [verb, [resource, subresource].filter(Boolean).join('/'), namespace].filter(Boolean).join(' '),
    );
  const files = await Promise.all(
    (await readdir(written)).map(async (name) => `${name}: ${await readFile(join(written, name), 'utf8')}`),
  );
  await rm(written, { recursive: true });
  const all = [`exit code ${run.exitCode}`, run.stdout, run.stderr, ...files, ...new Set(asked)].join('\n');
  seen.set(key, all);
  return all;
}

describe.each(allCases)('sidecar-sweeper $command $usual', (each) => {
  const { command, usual, cases } = each;

  for (const { words, beside = '', env: extra, shows, hides, same } of cases) {
    it(`${beside} ${words} ${same === undefined ? 'changes what can be seen' : `changes nothing: ${same}`}`, async () => {
      const without = await observe(`${command} ${usual} ${beside}`, extra);
      const given = await observe(`${command} ${usual} ${beside} ${words}`, extra);
      expect(given).not.toMatch(/^exit code [12]$/m);
      if (shows) expect(without).not.toMatch(shows);
      if (shows) expect(given).toMatch(shows);
      if (hides) expect(without).toMatch(hides);
      if (hides) expect(given).not.toMatch(hides);
      expect([shows, hides, same].filter(Boolean)).toHaveLength(1);
    });
  }

  for (const columns of [40, 80, 100, 200, 0]) {
    itUnless(noTerminal, `fits a terminal of ${columns} columns with every flag`, async () => {
      for (const pack of packsOf(each).filter(answersSoon)) {
        const flags = [...argvOf(`${command} ${usual} ${pack}`)];
        const config = pack.includes('--kubeconfig') || !needsCluster(command) ? [] : await kubeconfig();
        const shown = await runOnTerminal(
          `cols ${columns} rows 50`,
          [...flags, ...config],
          [['[y/N]', 'n\n']],
        );
        expect.soft([pack, shown.exitCode]).not.toEqual([pack, 1]);
        const lines = columns === 0 || !isForPeople(command, pack) ? [] : linesOf(shown).slice(1);
        expect.soft([pack, tooLong(lines, columns).filter(isLaidOut)]).toEqual([pack, []]);
      }
    });
  }
});

/** A server that does not answer is asked again and again, which takes as long on every terminal. */
function answersSoon(pack: string): boolean {
  return !/unreachable|--request-timeout|--all-contexts/.test(pack);
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

function needsCluster(command: string): boolean {
  return !['profiles', 'validate', 'report', 'report merge', 'completion', 'help'].includes(command);
}

async function kubeconfig(): Promise<readonly string[]> {
  return ['--kubeconfig', join(given.folder, 'kubeconfig')];
}
