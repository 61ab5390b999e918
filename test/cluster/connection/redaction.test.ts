import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEmulator } from '../../kit/emulator/index.ts';
import { runHere } from '../../kit/run-here.ts';

it('a plugin that complains of a token which was sent does not make it public', async () => {
  const emulator = await startEmulator({ runtime: 'light' });
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-redaction-'));
  const token = emulator.serviceAccount({ namespace: 'default', name: 'sweeper', rules: [] });
  const apiVersion = 'client.authentication.k8s.io/v1';
  const credential = JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token } });
  // The first time it gives the token, and then it complains of it.
  const script = `[ -e asked ] && { echo "who refuses ${token}?" >&2; exit 1; }; touch asked; echo '${credential}'`;
  const plugin = {
    apiVersion,
    command: 'sh',
    args: ['-c', `cd ${folder}; ${script}`],
    interactiveMode: 'Never',
  };
  const kubeconfig = join(folder, 'kubeconfig');
  const written = emulator.kubeconfig({ name: 'sweeper', token });
  await writeFile(kubeconfig, written.replace(/token: .*/, `exec: ${JSON.stringify(plugin)}`));
  expect(await readFile(kubeconfig, 'utf8')).toContain('ExecCredential');
  emulator.revoke(token);
  // The list of the first namespace is refused, and before that of the second one, the plugin is asked again.
  const argv = ['scan', '-n', 'a', '-n', 'b', '--kubeconfig', kubeconfig];
  const { stdout, stderr } = await runHere(argv);
  expect(stdout + stderr).toContain('exited with code 1: run its command by hand to see why');
  expect(stdout + stderr).not.toContain('who refuses');
  expect(stdout + stderr).not.toContain(token);
  await emulator.stop();
  await rm(folder, { recursive: true });
}, 120_000);
