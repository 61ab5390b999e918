import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { describeBehaviours, describeScenarios } from '../kit/behaviours/describe.ts';
import { clientOf, type Site } from '../kit/behaviours/stage.ts';
import { sweepBehaviours } from '../kit/behaviours/sweep-behaviours.ts';
import { type Emulator, sharedPidNamespaceAvailable, startEmulator } from '../kit/emulator/index.ts';
import { describeUnless } from '../kit/needs.ts';
import { temporaryFolder } from '../kit/started.ts';

const why = sharedPidNamespaceAvailable();
const images = {
  shell: 'docker.io/local/busybox:1',
  shellLess: 'docker.io/local/distroless-sidecar:1',
  quits: { image: 'docker.io/local/distroless-sidecar:1' },
  noop: 'docker.io/local/nopbare:1',
};

describeUnless(why, 'with real processes', () => {
  let emulator: Emulator;
  const folder = temporaryFolder('behaviours');
  let site: Site;
  beforeAll(async () => {
    emulator = await startEmulator({ runtime: 'processes' });
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, emulator.kubeconfig());
    site = { config: clientOf(kubeconfig), kubeconfig, images };
  });
  afterAll(async () => {
    await emulator.stop();
  });

  describeBehaviours('on the emulator', () => sweepBehaviours(site, 'default'));
  describeScenarios('on the emulator', async () => site);
});
