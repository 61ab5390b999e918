import { describe, expect } from 'vitest';
import { normalise, outputInReadme, runDemo, shownCommands } from '../demo/readme.ts';
import { processesAvailable } from '../emulator/world/runtime/processes.ts';
import { itUnless } from '../needs.ts';

const why = processesAvailable();

describe('README shows what its commands print:', { concurrent: true }, () => {
  for (const [command, argv] of Object.entries(shownCommands)) {
    itUnless(why, command, async () => {
      expect(normalise(await outputInReadme(command))).toBe(normalise(await runDemo(argv)));
    });
  }
});
