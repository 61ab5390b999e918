import { describe, expect } from 'vitest';
import { whyNotInCluster } from '../../scripts/demo/installed-cluster.ts';
import { normalise, outputInReadme, runDemo, shownCommands } from '../../scripts/demo/readme.ts';
import { sharedPidNamespaceAvailable } from '../kit/emulator/index.ts';
import { itUnless } from '../kit/needs.ts';
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
