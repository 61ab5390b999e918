import { spawn } from 'node:child_process';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { listening } from '../builders/listening.ts';
import { bundle, runCli } from '../kit/cli.ts';
import { ensureNamespace } from '../kit/emulator/index.ts';
import { describeUnless, missingPrograms } from '../kit/needs.ts';
import { fileIn, temporaryFolder } from '../kit/started.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';

const cluster = TestCluster.startedOnce([stuckPod({ name: 'stuck-1' }), stuckPod({ name: 'stuck-2' })]);
const folder = temporaryFolder('completion');
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  ensureNamespace(cluster.emulator.world, 'demo');
  for (const name of ['sidecar-sweeper', 'kubectl-sweep_sidecars', 'kubectl_complete-sweep_sidecars']) {
    await symlink(bundle, join(folder, name));
  }
  const kubeconfig = fileIn(folder, 'kubeconfig', cluster.emulator.kubeconfig());
  const path = `${folder}:${process.env['PATH']}`;
  env = {
    PATH: path,
    HOME: folder,
    KUBECONFIG: kubeconfig,
    TERM: 'dumb',
    SIDECAR_SWEEPER_COMPLETION_TIMEOUT: '1m',
  };
});

async function outputOf(command: string, argv: readonly string[]): Promise<string> {
  const child = spawn(command, argv, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return text(child.stdout);
}

/** How each shell is asked what it would offer for a line. Zsh's own widgets need a terminal, so they are stood in for. */
const shells: Readonly<Record<string, (line: string) => string>> = {
  bash: (line) => `
    source <(sidecar-sweeper completion bash)
    COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}
    function=$(complete -p sidecar-sweeper | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    $function; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (line) => `
    compdef() { function=$1 }
    _describe() { print -l -- "\${(@P)2}" | sed 's/:.*//' }
    compset() { }; _files() { print -l -- * }
    source <(sidecar-sweeper completion zsh)
    line='${line}'; words=("\${(@s: :)line}"); CURRENT=$#words
    $function | grep -- "^\${words[-1]#*=}" || true`,
  fish: (line) => `sidecar-sweeper completion fish | source; complete -C '${line}' | cut -f 1`,
};

describe.each(Object.keys(shells))('in %s', (shell) => {
  describeUnless(missingPrograms(shell), 'are completed', () => {
    it.each<readonly [line: string, expected: readonly string[]]>([
      ['sidecar-sweeper sca', ['scan']],
      ['sidecar-sweeper scan -n dem', ['demo']],
      ['sidecar-sweeper explain -n demo stuck-1 pod/', ['pod/stuck-1', 'pod/stuck-2']],
      ['sidecar-sweeper explain --reason Noop', ['NoopDoesNotStart', 'NoopUnknown']],
      ['sidecar-sweeper validate kubeco', ['kubeconfig']],
    ])('%s', async (line, expected) => {
      const offered = await outputOf(shell, ['-c', (shells[shell] ?? String)(line)]);
      expect(offered.split('\n').filter(Boolean).sort()).toEqual(expected);
    });
  });
});

it('an equals sign is no part of what bash replaces', async () => {
  const offered = await outputOf('bash', [
    '-c',
    (shells['bash'] ?? String)('sidecar-sweeper sweep --namespace=dem'),
  ]);
  expect(offered).toBe('demo\n');
});

const evil = ['jobs$(touch$', '{IFS}ran)'].join('');

/** Starts each shell as a person does, on a terminal, with completion. */
const sessions: Readonly<Record<string, readonly [start: string, setUp: string]>> = {
  bash: ['bash --norc --noprofile -i', 'source <(sidecar-sweeper completion bash)'],
  zsh: ['zsh -f -i', 'autoload -U compinit; compinit -u -D; source <(sidecar-sweeper completion zsh)'],
  fish: ['fish --no-config -i', 'sidecar-sweeper completion fish | source'],
};

/** What a terminal shows when these lines are typed, each a while after the one before; a tab completes. */
async function typed(start: string, lines: readonly string[]): Promise<string> {
  const child = spawn('script', ['--quiet', '--return', '--command', start, '/dev/null'], {
    cwd: folder,
    env: { ...env, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const shown = text(child.stdout);
  for (const line of lines) {
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    child.stdin.write(line);
  }
  return shown;
}

describe.concurrent('a name that is a command is quoted on a real terminal', () => {
  for (const [shell, [start, setUp]] of Object.entries(sessions)) {
    describeUnless(missingPrograms(shell, 'script'), `of ${shell}`, () => {
      it('and reaches the program as it is', { timeout: 60_000 }, async () => {
        const renamed = cluster.emulator.kubeconfig().replaceAll(/\bemulator\b/g, () => evil);
        const contexts = fileIn(folder, `${shell}-contexts`, renamed);
        const shown = await typed(start, [
          `${setUp}\n`,
          `sidecar-sweeper scan --kubeconfig ${contexts} -o json --context jobs\t`,
          ` > ${shell}.json\n`,
          'exit\n',
        ]);
        expect(shown).toContain('touch');
        expect(JSON.parse(await readFile(join(folder, `${shell}.json`), 'utf8'))).toMatchObject({
          cluster: { context: evil },
        });
        expect(await readdir(folder)).not.toContain('ran');
      });
    });
  }
});

it('what Kubernetes forbids never becomes a name', async () => {
  const liar = await TestCluster.start([stuckPod({ name: evil }), stuckPod({ name: 'honest' })]);
  for (const name of [evil, 'Jobs', '-n', 'a b', 'demo']) ensureNamespace(liar.emulator.world, name);
  const kubeconfig = fileIn(folder, 'liar', liar.emulator.kubeconfig());
  const offered = async (...words: readonly string[]) =>
    (await runCli(['__complete', ...words], { env: { ...env, KUBECONFIG: kubeconfig } })).stdout;
  const namespaces = ['default', 'demo', 'kube-node-lease', 'kube-public', 'kube-system'];
  expect(await offered('scan', '-n', '')).toBe([...namespaces, ':4\n'].join('\n'));
  expect(await offered('explain', '-n', 'demo', '')).toBe('honest\n:4\n');
  await liar.stop();
});

it('kubectl is answered as its plugins answer, and the plugin is called by its name in help', async () => {
  const offered = await outputOf('kubectl_complete-sweep_sidecars', ['scan', '-o', '']);
  expect(offered).toMatch(/^table\n[\s\S]*\nname\n:4\n$/);
  expect(await outputOf('kubectl-sweep_sidecars', ['scan', '--help'])).toContain(
    'Usage: kubectl sweep-sidecars scan',
  );
});

describe('nothing is offered, in about a second and without a word,', () => {
  it('if the cluster does not answer', async () => {
    const silent = createServer(() => undefined);
    const port = await listening(silent);
    const text = cluster.emulator.kubeconfig().replace(/server: .*/, `server: https://127.0.0.1:${port}`);
    const kubeconfig = fileIn(folder, 'silent', text);
    const run = await runCli(['__complete', 'sweep', '-n', ''], { env: { KUBECONFIG: kubeconfig } });
    silent.close();
    expect(run).toEqual({ exitCode: 0, stdout: ':4\n', stderr: '' });
  }, 10_000);

  it('if there is no kubeconfig', async () => {
    expect(await runCli(['__complete', 'sweep', '--context', ''])).toEqual({
      exitCode: 0,
      stdout: ':4\n',
      stderr: '',
    });
  });
});
