import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listening } from '../../builders/listening.ts';
import { itUnless } from '../../kit/needs.ts';
import { startedOnce } from '../../kit/started.ts';
import { podsOfJob } from '../../kit/stuck-jobs.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { keys, linesOf, mostBytes, noTerminal, runOnTerminal, tooLong } from '../../kit/terminal.ts';

const cluster = startedOnce(() => TestCluster.start());
let pods = 0;

async function placed(sidecar: (typeof sidecars)[keyof typeof sidecars] = sidecars.clean, grace = 1) {
  const name = `nightly-customer-reconciliation-${pods++}-x7k2p`;
  const label = `pod-${pods}`;
  cluster.emulator.world.placePods([stuckPod({ name, labels: { label }, sidecar, grace })]);
  return { name, argv: ['-l', `label=${label}`, '--kubeconfig', await cluster.kubeconfig()] };
}

const question = '[y/N] ';
const sent = () => cluster.emulator.requests.filter(({ resource }) => resource === 'pods/exec').length;

describe('a sweep on a terminal', () => {
  for (const columns of [0, 1, 40, 80, 100, 200, 65_535]) {
    itUnless(noTerminal, `of ${columns} columns asks, sweeps and fits`, async () => {
      const { name, argv } = await placed();
      const shown = await runOnTerminal(`cols ${columns} rows ${columns}`, argv, [['[y/N]', 'y\n']]);
      expect(shown.exitCode).toBe(0);
      expect(shown.text.length).toBeLessThan(mostBytes);
      const lines = linesOf(shown);
      expect(lines.join(' ')).toMatch(/stopped,\s+exit\s+code\s+0/);
      expect(lines.join('\n')).toContain(name);
      expect(lines.join(' ')).toMatch(/sidecar-sweeper advise -A -l label=pod-\d+ --kubeconfig /);
      expect(columns === 0 ? [] : tooLong(lines, columns)).toEqual([]);
    });
  }

  itUnless(noTerminal, 'of 100 columns shows a pod in one line, before and after', async () => {
    const { name, argv } = await placed();
    const lines = linesOf(await runOnTerminal('cols 100 rows 40', argv, [[question, 'y\n']]));
    expect(lines).toContainEqual(expect.stringMatching(/^1 +sidecar .*signal TERM/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^End 1 sidecar of 1 pod in the cluster \S+ \(context emulator\)\? \[y\/N\]/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^1 +sidecar .*stopped, exit code 0 +Succeeded/));
    expect(lines).toContainEqual(expect.stringMatching(`demo/${name}$`));
    expect(lines).toContainEqual(expect.stringMatching(/^1 pod ended, Succeeded\./));
  });

  itUnless(noTerminal, 'sends nothing after an answer other than yes, Ctrl-D or Ctrl-C', async () => {
    const { argv } = await placed();
    const before = sent();
    for (const answer of ['n\n', keys.ctrlD, keys.ctrlC]) {
      const shown = await runOnTerminal('cols 80 rows 24', argv, [[question, answer]]);
      expect(shown.exitCode).toBe(5);
      expect(shown.text).toContain('Nothing was sent: ');
    }
    expect(sent()).toBe(before);
  });

  itUnless(noTerminal, 'stops at one Ctrl-C with a report, and says what a second one does', async () => {
    const { argv } = await placed(sidecars.stubborn, 60);
    const shown = await runOnTerminal('cols 80 rows 24', argv, [
      [question, 'y\n'],
      ['at most ', keys.ctrlC],
    ]);
    expect(shown.exitCode).toBe(5);
    expect(shown.text).toContain('Press Ctrl-C again to');
    expect(shown.text).toContain('(stopped early: the sweep was interrupted)');
  });

  itUnless(noTerminal, 'does not ask with --yes, and has colour, except with --color never', async () => {
    const { argv } = await placed();
    const shown = await runOnTerminal('cols 80 rows 24', [...argv, '--yes', '--color', 'never']);
    expect(shown).toMatchObject({ exitCode: 0, text: expect.not.stringContaining('[y/N]') });
    expect(shown.text).not.toContain('\u001b[32m');
    const again = await placed();
    const coloured = await runOnTerminal('cols 80 rows 24', [...again.argv, '--yes']);
    expect(coloured.text).toContain('\u001b[32m');
  });
});

itUnless(
  noTerminal,
  'a sweep of a named pod says before it asks what an unclean exit would cost',
  async () => {
    const { world } = cluster.emulator;
    const pod = { name: 'costly', sidecar: sidecars.unclean };
    world.placePods(podsOfJob(world, { name: 'costly', spec: { backoffLimit: 1 }, pod }));
    const argv = ['sweep', 'demo/costly', '--unclean-exit=allow', '--kubeconfig', await cluster.kubeconfig()];
    const before = sent();
    const shown = await runOnTerminal('cols 200 rows 24', argv, [[question, 'n\n']]);
    expect(shown.text).toContain(
      'if it exits with a code other than 0, the pod fails, and its Job runs the finished work again',
    );
    expect(shown.exitCode).toBe(5);
    expect(sent()).toBe(before);
  },
);

describe('a sweep without a terminal', () => {
  it('is refused before anything is read, unless --yes or --dry-run is given', async () => {
    const { argv } = await placed();
    const before = cluster.emulator.requests.length;
    expect(await cluster.run(argv.slice(0, 2), { withoutYes: true })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'sidecar-sweeper: cannot ask without a terminal: add --yes to sweep, or --dry-run to see what a sweep would do\n',
    });
    expect(cluster.emulator.requests.length).toBe(before);
  });

  it('has whole tables, without colour, a question or a progress line', async () => {
    const { name, argv } = await placed();
    const run = await cluster.run([...argv.slice(0, 2), '-o', 'table'], { env: { COLUMNS: '40' } });
    expect(run.stdout).toMatch(
      /^PODS +SIDECAR +IMAGE +OUTCOME +NOW +STUCK FOR +OWNER +CPU +MEMORY +FOR EXAMPLE$/m,
    );
    expect(run.stdout).toMatch(
      new RegExp(`^1 +sidecar .*stopped, exit code 0 +Succeeded +1h\\S* .*demo/${name}$`, 'm'),
    );
    expect(run.stdout + run.stderr).not.toContain('\u001b');
    const coloured = await cluster.run([
      ...argv.slice(0, 2),
      '--dry-run',
      '-o',
      'table',
      '--color',
      'always',
    ]);
    expect(coloured.exitCode).toBe(0);
  });
});

itUnless(noTerminal, 'a sweep that waits says on a terminal what for', async () => {
  const busy = createServer((_request, response) => response.writeHead(503).end());
  const port = await listening(busy);
  const file = await cluster.kubeconfig();
  const text = (await readFile(file, 'utf8')).replace(/server: .*/, `server: http://127.0.0.1:${port}`);
  await writeFile(`${file}-busy`, text);
  const shown = await runOnTerminal('cols 200 rows 24', ['--kubeconfig', `${file}-busy`]);
  busy.close();
  expect(shown.exitCode).toBe(3);
  expect(shown.text).toMatch(/still trying: .*503/);
});

for (const size of ['cols 0 rows 0', 'cols 1 rows 1']) {
  itUnless(noTerminal, `the help on a terminal of ${size} is complete`, async () => {
    const shown = await runOnTerminal(size, ['sweep', '--help']);
    expect(shown.exitCode).toBe(0);
    expect(shown.text).toContain('Exit codes:');
    expect(shown.text.length).toBeLessThan(mostBytes);
  });
}
