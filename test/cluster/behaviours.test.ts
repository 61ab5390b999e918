import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientOf, describeBehaviours } from '../kit/behaviours.ts';
import { sharedPidNamespaceAvailable, startEmulator } from '../kit/emulator/index.ts';
import { describeUnless } from '../kit/needs.ts';
import { startedOnce, temporaryFolder } from '../kit/started.ts';

const images = {
  shell: 'docker.io/local/busybox:1',
  shellLess: 'docker.io/local/distroless-sidecar:1',
  quits: { image: 'docker.io/local/distroless-sidecar:1' },
  noop: 'docker.io/local/nopbare:1',
};

describeUnless(sharedPidNamespaceAvailable(), 'on the emulator, with real processes', () => {
  const emulator = startedOnce(() => startEmulator({ runtime: 'processes' }));
  const folder = temporaryFolder('behaviours');
  describeBehaviours('default', async () => {
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, emulator.kubeconfig());
    return { config: clientOf(kubeconfig), kubeconfig, images };
  });
});
