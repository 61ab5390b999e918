import { expect, it } from 'vitest';
import { blockedPorts } from '../../../../src/cli/flags/blocked-ports.ts';

it('fetch sends nothing to these ports', async () => {
  for (const port of blockedPorts) {
    const refused = expect(fetch(`http://127.0.0.1:${port}`), String(port)).rejects;
    await refused.toMatchObject({ cause: { message: 'bad port' } });
  }
});
