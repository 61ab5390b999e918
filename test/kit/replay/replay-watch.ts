import type { Pod } from '../emulator/index.ts';
import { exchange } from './client.ts';
import { barePod } from './manifests.ts';
import type { Recording } from './recording.ts';
import type { Replay } from './replayers.ts';
import { eventually, isStuck, podsOf, postPod, withStage } from './stage.ts';

const terminate =
  '/api/v1/namespaces/demo/pods/r4-a/exec?command=kill&command=-15&command=1&container=sidecar&stdout=true';

/** Watches a stuck pod while its sidecar ends, until the server ends the watch. */
export function replayWatch(recording: Recording): Promise<Replay> {
  return withStage({ runtime: 'processes', speed: 2 }, async (emulator) => {
    await postPod(emulator, barePod('r4-a'));
    await eventually(
      () => podsOf(emulator)[0],
      (pod) => pod !== undefined && isStuck(pod),
    );
    const [recorded] = recording.exchanges ?? [];
    if (!recorded) throw new Error('the recording has no watch');
    const { request } = recorded;
    const from = String(emulator.world.store.resourceVersion);
    const path = request.path.replace(/resourceVersion=\d+/, `resourceVersion=${from}`);
    const watching = exchange(emulator, { method: 'GET', path }, { lines: true });
    await exchange(emulator, { method: 'GET', path: terminate, protocols: ['v5.channel.k8s.io'] });
    const { status = 0, body } = await watching;
    const events = [...(body as object[]), { ended: true }];
    const podAfter = (podsOf(emulator)[0] as Pod).status;
    return { observations: { exchanges: [{ request, status, events, podAfter }] }, aliases: new Map() };
  });
}
