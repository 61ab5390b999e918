import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { now } from '../../builders/pod-view.ts';
import { sweepAt } from '../../builders/sweeps.ts';
import { runHere } from '../../kit/run-here.ts';
import { temporaryFolder } from '../../kit/started.ts';

const folder = temporaryFolder('report');

it.each(['report', 'report merge'])(
  '%s names the file of which it cannot read the report',
  async (command) => {
    const file = join(folder, 'v2.json');
    await writeFile(file, JSON.stringify({ ...sweepAt({ at: now }), apiVersion: 'sidecar-sweeper.dev/v2' }));
    const stderr = `sidecar-sweeper: cannot read 1 report in ${file}: of apiVersion sidecar-sweeper.dev/v2\n`;
    expect(await runHere([...command.split(' '), file])).toEqual({ exitCode: 2, stdout: '', stderr });
  },
);
