import { setTimeout } from 'node:timers/promises';
import type { Container, Pod } from '../../../../emulator/world/objects.ts';
import { ExecError } from '../../../../emulator/world/runtime.ts';
import type { World } from '../../../../emulator/world/world.ts';
import type { Recording } from './recording.ts';

/** Does to a pod what was done when it was recorded: execs, an image swap, or a request through port-forward. */
export async function act(world: World, pod: Pod, recording: Recording): Promise<void> {
  for (const { request } of recording.steps ?? []) {
    const query = new URL(request.path, 'https://cluster').searchParams;
    await execIn(world, pod, query.get('container') ?? '', query.getAll('command'));
    await setTimeout(300);
  }
  for (const { request } of recording.exchanges ?? []) {
    if (request.path.includes('/portforward')) await postQuit(world, pod, request.path);
    else swapImage(world, pod, JSON.parse(request.body ?? '[]'));
  }
}

async function execIn(world: World, pod: Pod, container: string, command: readonly string[]): Promise<void> {
  const running = world.kubelet.running(pod.metadata.uid, container);
  if (!running) throw new Error(`${pod.metadata.name} has no running ${container}`);
  const silent = () => {};
  try {
    const io = { stdin: false, tty: false, onStdout: silent, onStderr: silent };
    await (await running.exec(command, io)).exited;
  } catch (error) {
    if (!(error instanceof ExecError)) throw error;
  }
}

async function postQuit(world: World, pod: Pod, path: string): Promise<void> {
  const port = Number(new URL(path, 'https://cluster').searchParams.get('ports'));
  const stream = await world.kubelet.sandbox(pod.metadata.uid)?.connect(port);
  stream?.resume().write('POST /quitquitquit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
}

function swapImage(
  world: World,
  pod: Pod,
  patch: readonly { op: string; path: string; value: string }[],
): void {
  const replace = patch.find(({ op }) => op === 'replace');
  const index = Number(replace?.path.split('/')[3]);
  const image = replace?.value ?? '';
  const swapped = (container: Container, at: number) => (at === index ? { ...container, image } : container);
  world.store.update<Pod>('pods', pod.metadata.namespace, pod.metadata.name, (current) => ({
    ...current,
    metadata: { ...current.metadata, generation: 2 },
    spec: { ...current.spec, containers: current.spec.containers.map(swapped) },
  }));
}
