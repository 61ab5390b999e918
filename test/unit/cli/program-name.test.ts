import { expect, it } from 'vitest';
import { calledAs } from '../../../src/cli/program-name.ts';

it.each([
  ['/usr/bin/sidecar-sweeper', 'sidecar-sweeper', ['scan']],
  ['/app/dist/sidecar-sweeper.mjs', 'sidecar-sweeper', ['scan']],
  ['/usr/bin/kubectl-sweep_sidecars', 'kubectl sweep-sidecars', ['scan']],
  ['/usr/bin/kubectl-sweep_sidecars.mjs', 'kubectl sweep-sidecars', ['scan']],
  ['/usr/bin/kubectl_complete-sweep_sidecars', 'kubectl sweep-sidecars', ['__complete', 'scan']],
  ['', 'sidecar-sweeper', ['scan']],
])('%s is called as %s', (file, program, argv) => {
  expect(calledAs(file, ['scan'])).toEqual({ program, argv });
});
