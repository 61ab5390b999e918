import { describe, expect } from 'vitest';
import { whyNotInCluster } from '../demo/installed-cluster.ts';
import { normalise, outputInReadme, runDemo, shownCommands } from '../demo/readme.ts';
import { sharedPidNamespaceAvailable } from '../emulator/index.ts';
import { itUnless } from '../needs.ts';
import { cannotRender } from './manifests/render.ts';

const why = sharedPidNamespaceAvailable();

describe('README shows the current output of', { concurrent: true }, () => {
  for (const [command, [script, ...argv]] of Object.entries(shownCommands)) {
    const reason = script === 'cron-job.ts' ? (cannotRender ?? whyNotInCluster()) : why;
    itUnless(reason, command, async () => {
      expect(normalise(await outputInReadme(command))).toBe(normalise(await runDemo(script, argv)));
    });
  }
});
