import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { freshFor } from '../../src/util/retry.ts';
import { playAll } from './real-case.ts';
import { tally } from './tally.ts';

it('C2: a process that was suspended as it read a pod reads it again before it sends', async () => {
  await playAll(['pod-0', 'pod-1'], async (one, name) => {
    const { namespace } = one;
    let suspend = () => {};
    const run = () => suspend();
    one.faults.add({ namespace, resource: 'pods', verb: 'get', name }, { kind: 'Before', run }, { times: 1 });
    const swept = await one.sweep(0, (sweeper) => {
      suspend = () => {
        sweeper.kill('SIGSTOP');
        // The answer arrives long before the process reads it.
        void setTimeout(freshFor + 1_000).then(() => sweeper.kill('SIGCONT'));
      };
    });
    expect(swept.run.exitCode).toBe(0);
    const ofPod = swept.requests.filter((request) => request.name === name);
    const sent = ofPod.findIndex(({ subresource }) => subresource === 'exec');
    expect(ofPod.slice(0, sent + 1).map(({ subresource }) => subresource ?? '')).toEqual(['', '', 'exec']);
    tally('faults', 'C2', 1);
  });
});
