import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeptDemo } from '../../scripts/demo/kept.ts';
import { type PodReport, type SweepReport, sweepReport } from '../../src/report/schema.ts';
import { itUnless, missingPrograms } from '../kit/needs.ts';
import { temporaryFolder } from '../kit/started.ts';

const noKubectl = missingPrograms('kubectl');

describe('the demo with JSON output', () => {
  let demo: KeptDemo;
  let report: SweepReport;
  beforeAll(async () => {
    demo = await KeptDemo.start();
    report = sweepReport.parse(JSON.parse(demo.stdout));
  });
  afterAll(() => demo?.stop());

  it('prints only the report', () => {
    expect(demo.stdout).toMatch(/^\{[\s\S]*\}\n$/);
    expect(report.totals.candidates).toBeGreaterThan(5);
  });

  itUnless(noKubectl, 'reports the outcome of every pod as `kubectl get pods` shows it', () => {
    const shown = getPods(demo.kubeconfig);
    const told = report.pods.map((pod) => [`${pod.namespace}/${pod.name}`, looksOf(pod)] as const);
    for (const [name, expected] of told) expect(`${name} ${shown.get(name)}`).toMatch(expected);
    // Pods that were left alone have no outcome, but still exist.
    expect(shown.size).toBeGreaterThan(told.length);
  });
});

describe('the demo', () => {
  const folder = temporaryFolder('demo-test');

  /** Starts it, and calls back once it has printed something. */
  async function run(onOutput: (child: ChildProcess) => void) {
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/demo/main.ts', '--why'], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.stdout.once('data', () => onOutput(child));
    const [exitCode] = await once(child, 'close');
    const left = (await readdir(folder)).filter((name) => name.startsWith('sidecar-sweeper-demo-'));
    return { exitCode, stderr, left };
  }

  it('goes on without a reader, such as `head -1`', async () => {
    expect(await run(({ stdout }) => stdout?.destroy())).toEqual({ exitCode: 0, stderr: '', left: [] });
  });

  it('leaves nothing behind after Ctrl-C', async () => {
    expect(await run((child) => child.kill('SIGINT'))).toEqual({ exitCode: 130, stderr: '', left: [] });
  });
});

/** READY, STATUS and the phase of each pod, by name. */
function getPods(kubeconfig: string): ReadonlyMap<string, string> {
  const fields = ['.metadata.namespace', '.metadata.name', '.status.phase'];
  const columns = fields.map((field, index) => `COLUMN${index}:${field}`).join();
  const phases = new Map(
    kubectlGet(kubeconfig, '-o', `custom-columns=${columns}`).map(([namespace, name, phase]) => [
      `${namespace}/${name}`,
      phase,
    ]),
  );
  return new Map(
    kubectlGet(kubeconfig).map(([namespace, name, ready, status]) => {
      const key = `${namespace}/${name}`;
      return [key, `${ready} ${status} ${phases.get(key)}`];
    }),
  );
}
function kubectlGet(kubeconfig: string, ...more: readonly string[]): readonly (readonly string[])[] {
  const argv = ['get', 'pods', '-A', '--no-headers', '--kubeconfig', kubeconfig, ...more];
  const lines = execFileSync('kubectl', argv, { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => line.split(/ +/));
}

/** How kubectl shows a pod with this outcome. */
function looksOf({ outcome, containers }: PodReport): RegExp {
  const sidecars = containers.filter(({ role }) => role === 'Sidecar').length;
  switch (outcome.kind) {
    case 'Ended':
      // STATUS is the reason of one container, and may be Completed in a failed pod.
      return outcome.phase === 'Succeeded'
        ? / 0\/\d+ Completed Succeeded$/
        : / 0\/\d+ (Completed|Error) Failed$/;
    case 'Stuck':
    case 'Skipped':
    case 'Blocked':
    case 'NotAttempted':
      return new RegExp(` [1-${sidecars}]/\\d+ (NotReady|Error) Running$`);
    case 'Gone':
    case 'Replaced':
      return / undefined$/;
    case 'Unsettled':
    case 'Unproven':
      return /^nothing that was proved$/;
  }
}
