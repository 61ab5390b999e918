// The floor of a sweep: read the pod, send the signal, read the pod; for each signal, and without any waiting.
import { forEachPod, isRunning, send, signals } from './pods.mjs';

await forEachPod(async (pod) => {
  await isRunning(pod);
  for (const signal of signals) {
    await send(pod, signal);
    await isRunning(pod);
  }
});
