import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeUnless, missingPrograms } from '../../kit/needs.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'examples', 'jq');

describeUnless(missingPrograms('jq'), 'the examples for jq', () => {
  it('answer from a report', async () => {
    const cluster = await TestCluster.start([
      stuckPod({ name: 'immune', sidecar: sidecars.immune }),
      stuckPod({ name: 'unclean', namespace: 'jobs', sidecar: sidecars.unclean }),
      stuckPod({ name: 'skipped', annotations: { 'sidecar-sweeper.dev/skip': 'true' } }),
    ]);
    const { report } = await cluster.sweep();
    await cluster.stop();
    const harmed = {
      kind: 'JobHarmed',
      namespace: 'demo',
      name: 'work-x2k9p',
      job: 'work',
      harm: 'RunsAgain',
    };
    const input = JSON.stringify({ ...report, warnings: [...report.warnings, harmed] });
    const ask = (file: string) =>
      execFileSync('jq', ['-rf', join(folder, file)], { input, encoding: 'utf8' });
    const answers = Object.fromEntries(readdirSync(folder).map((file) => [file, ask(file)]));
    expect(answers).toEqual({
      'harmed-jobs.jq': 'demo/work: RunsAgain\n',
      'still-stuck.jq': expect.stringContaining('demo/immune sidecar: allow image swaps: --noop-image\n'),
      'why-left-alone.jq': '1 OptedOut\n',
      'worst-namespaces.jq': '1 demo\n1 jobs\n',
    });
  });
});
