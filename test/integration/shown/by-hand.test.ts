import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, it } from 'vitest';
import { whyNotInCluster } from '../../../scripts/demo/installed-cluster.ts';
import { describeUnless } from '../../kit/needs.ts';
import { linesRunBy } from '../../kit/shown-lines.ts';
import { noTerminal } from '../../kit/terminal.ts';
import { cannotRender } from '../manifests/render.ts';
import { expectComplete, expectSaid, type Says } from './said.ts';
import { type Typed, typed } from './typed.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const start = 'npm run emulator';
const sweep = 'node dist/sidecar-sweeper.mjs -n billing --min-age 1s --log-level debug -o table';

const says: Says = {
  [start]: [
    'Its containers are real processes.',
    /^ billing\/invoice-mail +\S/m,
    /^ export KUBECONFIG=\S+$/m,
    /^ kubectl get pods -A$/m,
  ],
  'kubectl get pods -A': [
    'NAMESPACE NAME READY STATUS RESTARTS AGE',
    /^billing invoice-mail-xxxxx 1\/2 NotReady 0 Ns$/m,
    /^web shop-\S+ 2\/2 Running 0 Ns$/m,
  ],
  'pod=$(kubectl -n billing get pods -l job-name=invoice-mail -o name)': [/^$/],
  'kubectl -n billing describe "$pod"': [
    'Name: invoice-mail-xxxxx',
    'Controlled By: Job/invoice-mail',
    /istio-proxy:[\s\S]* State: Running/,
  ],
  'node dist/sidecar-sweeper.mjs explain "billing/${pod#pod/}" --min-age 1s': [
    /^billing\/invoice-mail-xxxxx has been stuck for Ns on istio-proxy: a sweep would send POST localhost:15020\/quitquitquit/,
    'phase Running, restartPolicy Never, owned by Job invoice-mail',
    '22 checks passed (-v lists them)',
  ],
  [sweep]: [
    /^billing invoice-mail-xxxxx Ns istio-proxy stopped, exit code 0 Succeeded Complete$/m,
    /^billing invoice-export-xxxxx Ns cloud-sql-proxy held: /m,
    /^sidecar-sweeper: sweep finished$/m,
  ],
  'kubectl -n billing get pods': [
    /^invoice-mail-xxxxx 0\/2 Completed 0 Ns$/m,
    /^invoice-export-xxxxx 1\/2 NotReady 0 Ns$/m,
  ],
  'kubectl -v=8 -n billing get pods': [
    /GET https:\S+\/api\/v1\/namespaces\/billing\/pods\?limit=500$/m,
    /^invoice-mail-xxxxx 0\/2 Completed 0 Ns$/m,
  ],
};
const lines = linesRunBy('shown/by-hand')
  .map(([, line]) => line)
  .filter((line) => line !== start);

describeUnless(
  cannotRender ?? noTerminal ?? whyNotInCluster(),
  'the emulator, started as the pages show:',
  () => {
    let emulator: ChildProcess;
    let started = '';
    let results: readonly Typed[];
    beforeAll(async () => {
      emulator = spawn(start, {
        shell: true,
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      await new Promise<void>((resolve) => {
        emulator.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
          started += chunk;
          if (started.includes('Ctrl-C stops it')) resolve();
        });
      });
      const [, kubeconfig = ''] = /export (KUBECONFIG=\S+)/.exec(started) ?? [];
      const exitCode = '.status.containerStatuses[?(@.name=="main")].state.terminated.exitCode';
      const ended = `kubectl -n billing wait pods --all --for=jsonpath='{${exitCode}}'=0 --timeout=2m`;
      // `--min-age 1s` needs a second, and both the end of main and the API server's date are cut to whole seconds.
      const aged = 'sleep 2';
      const [, , , ...ran] = await typed(
        [`cd ${root} && export ${kubeconfig}`, ended, aged, ...lines],
        process.env,
      );
      results = ran;
    });
    afterAll(async () => {
      // As Ctrl-C does: npm, its shell and the emulator.
      if (emulator.pid !== undefined) process.kill(-emulator.pid, 'SIGINT');
      await once(emulator, 'close');
    });

    it(start, () => {
      expectSaid(says, start, { text: started, exitCode: 0 });
    });

    it.each(lines.map((line, index) => [line, index] as const))('%s', (line, index) => {
      // The page says why.
      expectSaid(says, line, results[index], line === sweep ? 4 : 0);
    });
  },
);

it('what each of them prints is known', () => {
  expectComplete(says, 'shown/by-hand');
});
