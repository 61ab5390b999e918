import { onTestFinished } from 'vitest';
import type { Container, Pod } from '../../../../emulator/world/objects.ts';
import type { Images } from '../../../../emulator/world/runtime/processes/images.ts';
import { processRuntime } from '../../../../emulator/world/runtime/processes.ts';
import type { RunningContainer, Sandbox } from '../../../../emulator/world/runtime.ts';
import { Store } from '../../../../emulator/world/store.ts';

export const BUSYBOX = 'docker.io/local/busybox:1';
export const DISTROLESS = 'docker.io/local/distroless-sidecar:1';

/** A sandbox of real processes that goes with the test. */
export async function processSandbox(spec: Partial<Pod['spec']> = {}, images: Images = {}): Promise<Sandbox> {
  const metadata = { name: 'pod', namespace: 'demo', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
  const sandbox = await processRuntime(new Store(() => new Date()), images).createSandbox({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, labels: { app: 'web' } },
    spec: { restartPolicy: 'Never', containers: [], ...spec },
    status: { phase: 'Pending' },
  });
  onTestFinished(() => sandbox.destroy());
  return sandbox;
}

/** Starts a shell script in the busybox image, or whatever the container says instead. */
export function startIn(
  sandbox: Sandbox,
  container: Partial<Container> & { readonly script?: string },
): Promise<RunningContainer> {
  const { script, ...rest } = container;
  const command = script === undefined ? {} : { command: ['sh', '-c', script] };
  return sandbox.start({ name: 'container', image: BUSYBOX, ...command, ...rest }, {});
}

/** What a command printed in a container, and how it ended. */
export async function run(
  container: RunningContainer,
  command: readonly string[],
  stdin?: string,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number }> {
  const output = { stdout: '', stderr: '' };
  const process = await container.exec(command, {
    stdin: stdin !== undefined,
    tty: false,
    onStdout: (chunk) => {
      output.stdout += String(chunk);
    },
    onStderr: (chunk) => {
      output.stderr += String(chunk);
    },
  });
  if (stdin !== undefined) {
    process.write(Buffer.from(stdin));
    process.write(undefined);
  }
  return { exitCode: await process.exited, ...output };
}
