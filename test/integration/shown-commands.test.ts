import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bundle } from '../cli.ts';
import { describeUnless } from '../needs.ts';
import { own, partsOf, shownLines } from '../shown-lines.ts';
import { noTerminal } from '../terminal.ts';
import { stuckPod, TestCluster } from './stuck-pods.ts';

const shown = shownLines.filter(([, line]) => partsOf(line).some((part) => own.test(part)));

/** What a command tells of the pods below, by its first word; of a sweep, the end of its table. */
const tells: Readonly<Record<string, RegExp>> = {
  scan: /report-x2k9p/,
  explain: /(?:report|invoice)-x2k9p/,
  advise: /report-x2k9p/,
  'check-access': /pods\/exec/,
  completion: /^$/,
  report: /Stopped|1 sweep|1 of 1/i,
  sweep: /WOULD DO[\s\S]*signal TERM/,
};

describeUnless(noTerminal, 'what a page shows for a shell works as it stands there:', () => {
  let west: TestCluster;
  let east: TestCluster;
  let home: string;
  let log: string;
  beforeAll(async () => {
    const cluster = await TestCluster.start([stuckPod({ name: 'report-x2k9p', namespace: 'jobs' })]);
    log = (await cluster.run()).stdout;
    await cluster.stop();
  });
  beforeEach(async () => {
    const pods = [
      stuckPod({ name: 'report-x2k9p', namespace: 'jobs', labels: { app: 'report' } }),
      stuckPod({ name: 'mail-1', namespace: 'jobs' }),
      stuckPod({ name: 'test-1', namespace: 'my-release' }),
      stuckPod({ name: 'invoice-x2k9p', namespace: 'billing' }),
    ];
    [west, east] = await Promise.all([TestCluster.start(pods), TestCluster.start(pods)]);
    home = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-shown-'));
    await prepare(home, { west, east }, log);
  });
  afterEach(async () => {
    await Promise.all([west.stop(), east.stop()]);
    await rm(home, { recursive: true });
  });

  it.each(shown)('%s: %s', async (_page, line) => {
    const named = line.replace('<namespace>', 'jobs').replace('<pod>', 'report-x2k9p');
    const { exitCode, text } = await inShell(named, home);
    expect({ exitCode, text }).toEqual({ exitCode: 0, text: expect.stringMatching(toldBy(line)) });
  });
});

function toldBy(line: string): RegExp {
  const last = partsOf(line).findLast((part) => part.includes('sidecar-sweeper')) ?? '';
  const [, word = 'sweep'] = /sidecar-sweeper(?:\.mjs)? ([a-z][a-z-]*)/.exec(last) ?? [];
  return tells[word] ?? /^never$/;
}

/** Runs a line where somebody sits at the terminal who answers yes. */
async function inShell(line: string, home: string) {
  const command = `stty rows 50 columns 200; cd ${home} && ${line}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: {
      PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
      HOME: home,
      KUBECONFIG: join(home, 'config'),
      TERM: 'xterm',
      SHELL: '/bin/sh',
      // A page asks kubectl for it, and calls the program by its file.
      pod: 'pod/invoice-x2k9p',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (!text.includes('[y/N]') && `${text}${chunk}`.includes('[y/N]')) child.stdin.write('y\n');
    text += chunk;
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, text: stripVTControlCharacters(text).trim() };
}

/** The home of somebody who has followed the pages: two contexts, a policy, and the logs of a sweep. */
async function prepare(home: string, clusters: Readonly<Record<string, TestCluster>>, log: string) {
  for (const folder of ['bin', 'prod', 'staging', '.config/fish/completions']) {
    await mkdir(join(home, folder), { recursive: true });
  }
  const entries = Object.entries(clusters).map(([name, { emulator }]) => {
    const { clusters: servers, users } = parse(emulator.kubeconfig('admin'));
    return { name, cluster: servers[0].cluster, user: users[0].user };
  });
  const content = {
    'current-context': entries[0]?.name,
    contexts: entries.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    clusters: entries.map(({ name, cluster }) => ({ name, cluster })),
    users: entries.map(({ name, user }) => ({ name, user })),
  };
  await writeFile(join(home, 'config'), JSON.stringify(content));
  await copyFile('examples/policies/istio.yaml', join(home, 'policy.yaml'));
  for (const file of ['sweeps.log', 'prod/a.log', 'staging/b.log']) await writeFile(join(home, file), log);
  await symlink(dirname(bundle), join(home, 'dist'));
  await program(join(home, 'bin', 'sidecar-sweeper'), `exec ${process.execPath} ${bundle} "$@"`);
  // Of kubectl, a pipe needs only what it prints, or what it would be asked.
  await program(
    join(home, 'bin', 'kubectl'),
    `case " $* " in *" logs "*) cat ${home}/sweeps.log ;; *) echo "$@" ;; esac`,
  );
}

async function program(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}
