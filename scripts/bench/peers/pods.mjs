// What the loops over stuck pods share: the pods, reads and execs of one pod, and a number of workers.
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { agent, authorization, get, server } from './request.mjs';

const [, , file, concurrency, ...signals] = process.argv;

export { signals };

/** Carries out the work for every pod of the file, and prints how many milliseconds that took. */
export async function forEachPod(work) {
  const pods = readFileSync(file, 'utf8').trim().split('\n').values();
  const worker = async () => {
    for (const pod of pods) {
      const [namespace, name] = pod.split(' ');
      await work(`/api/v1/namespaces/${namespace}/pods/${name}`);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: Number(concurrency) }, worker));
  console.log(performance.now() - began);
  process.exit();
}

/** Whether the sidecar is running. */
export async function isRunning(pod) {
  const { status } = JSON.parse(await text(await get(pod, 'application/json')));
  return status.containerStatuses.some(({ name, state }) => name === 'sidecar' && state.running);
}

export function send(pod, signal) {
  const command = ['kill', '-s', signal, '1'].map((word) => `command=${word}`).join('&');
  const url = new URL(`${pod}/exec?container=sidecar&stdout=true&stderr=true&${command}`, server);
  const socket = new WebSocket(url, ['v5.channel.k8s.io'], { agent, headers: authorization });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', resolve);
  });
}
