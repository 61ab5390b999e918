// What one would write: send TERM, wait until the sidecar has ended or its grace is over, take the next pod.
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachPod, isRunning, send } from './pods.mjs';

const graceMs = 3_000;
const lookEveryMs = 250;

await forEachPod(async (pod) => {
  await send(pod, 'TERM');
  const over = performance.now() + graceMs;
  while ((await isRunning(pod)) && performance.now() < over) await sleep(lookEveryMs);
});
