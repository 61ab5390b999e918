import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-policies-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
let written = 0;

/** `--policy` with a file that has these fields. */
export function policyFlag(fields: object): readonly ['--policy', string] {
  const file = join(folder, `policy-${written++}.json`);
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', ...fields }),
  );
  return ['--policy', file];
}
