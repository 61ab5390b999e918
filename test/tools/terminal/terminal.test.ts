import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listening } from '../../builders/listening.ts';
import { itUnless } from '../../kit/needs.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { keys, linesOf, mostBytes, noTerminal, runOnTerminal, tooLong } from '../../kit/terminal.ts';

const cluster = TestCluster.startedOnce();
let pods = 0;

async function placed() {
  const name = `nightly-customer-reconciliation-${pods++}-x7k2p`;
  const label = `pod-${pods}`;
  cluster.emulator.world.placePods([stuckPod({ name, labels: { label } })]);
  return { name, argv: ['-l', `label=${label}`, '--kubeconfig', await cluster.kubeconfig()] };
}

const question = '[y/N] ';
const sent = () => cluster.emulator.requests.filter(({ subresource }) => subresource === 'exec').length;

describe('a sweep on a terminal', () => {
  for (const columns of [0, 1, 40, 80, 100, 200, 65_535]) {
    itUnless(noTerminal, `of ${columns} columns asks, sweeps and fits`, async () => {
      const { name, argv } = await placed();
      const before = sent();
      const shown = await runOnTerminal(`cols ${columns} rows ${columns}`, argv, [['[y/N]', 'y\n']]);
      expect(shown.exitCode).toBe(0);
      expect(shown.text.length).toBeLessThan(mostBytes);
      expect(shown.text).toContain('\u001b[32m');
      const lines = linesOf(shown);
      expect(lines.join(' ')).toMatch(/stopped,\s+exit\s+code\s+0/);
      expect(lines.join('\n')).toContain(name);
      expect(lines.join(' ')).toMatch(/sidecar-sweeper advise -A -l label=pod-\d+ --kubeconfig /);
      expect(columns === 0 ? [] : tooLong(lines, columns)).toEqual([]);
      expect(sent()).toBeGreaterThan(before);
    });
  }

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

  itUnless(noTerminal, 'takes nothing that was typed before the question for its answer', async () => {
    const { argv } = await placed();
    const before = sent();
    for (const early of ['y\n', 'y']) {
      // The first text is from the shell, before the sweep starts.
      const shown = await runOnTerminal('cols 80 rows 24', argv, [
        ['', early],
        [question, '\n'],
      ]);
      expect(shown.exitCode).toBe(5);
    }
    expect(sent()).toBe(before);
  });
});

it('a sweep without a terminal is refused before anything is read, unless --yes or --dry-run is given', async () => {
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
