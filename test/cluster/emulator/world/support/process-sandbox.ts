import { onTestFinished } from 'vitest';
import {
  type Container,
  createWorld,
  emulatorClock,
  type Images,
  type Pod,
  type RunningContainer,
  type Sandbox,
} from '../../../../kit/emulator/index.ts';

export const BUSYBOX = 'docker.io/local/busybox:1';
export const DISTROLESS = 'docker.io/local/distroless-sidecar:1';

/** Creates a sandbox of real processes that ends with the test. */
export async function processSandbox(spec: Partial<Pod['spec']> = {}, images: Images = {}): Promise<Sandbox> {
  const metadata = { name: 'pod', namespace: 'demo', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
  const world = createWorld({ clock: emulatorClock(), runtime: 'processes', images });
  const sandbox = await world.runtime.createSandbox({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, labels: { app: 'web' } },
    spec: { restartPolicy: 'Never', containers: [], ...spec },
    status: { phase: 'Pending' },
  });
  onTestFinished(async () => {
    await sandbox.destroy();
    await world.stop();
  });
  return sandbox;
}

/** Starts a container, by default with a shell script in the busybox image. */
export function startIn(
  sandbox: Sandbox,
  container: Partial<Container> & { readonly script?: string },
): Promise<RunningContainer> {
  const { script, ...rest } = container;
  const command = script === undefined ? {} : { command: ['sh', '-c', script] };
  return sandbox.start({ name: 'container', image: BUSYBOX, ...command, ...rest }, {});
}

/** Runs a command in a container and returns its output and exit code. */
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
