import type { EmulatorClock } from '../../clock.ts';
import type { Container } from '../objects.ts';
import type { ContainerExit, RunningContainer } from '../runtime.ts';

const SHORTEST_GRACE_AFTER_HOOK = 2;

/** A container on its way out. */
export interface Stop {
  readonly exited: Promise<ContainerExit>;
  /** Leaves it no more than so many seconds from now. */
  shorten(graceSeconds: number): void;
}

/** The way the kubelet stops a container: its preStop hook, its stop signal, then, when the grace is over, SIGKILL. */
export function stopContainer(
  instance: RunningContainer,
  container: Container,
  graceSeconds: number,
  clock: EmulatorClock,
): Stop {
  const now = () => clock.now().getTime();
  let end = now() + graceSeconds * 1000;
  let signalled = false;
  let cancel = () => {};

  function endGraceIn(milliseconds: number): void {
    cancel();
    end = now() + milliseconds;
    cancel = clock.after(milliseconds, () => (signalled ? instance.kill('SIGKILL') : signal()));
  }

  /** A hook that used up the grace still leaves two seconds for the signal. */
  function signal(): void {
    if (signalled) return;
    signalled = true;
    instance.kill((container.lifecycle?.stopSignal ?? 'SIGTERM') as NodeJS.Signals);
    const hook = container.lifecycle?.preStop !== undefined;
    endGraceIn(Math.max(end - now(), hook ? SHORTEST_GRACE_AFTER_HOOK * 1000 : 0));
  }

  endGraceIn(graceSeconds * 1000);
  void runPreStop(instance, container).then(signal);
  void instance.exited.then(() => cancel());
  return {
    exited: instance.exited,
    shorten: (seconds) => endGraceIn(Math.max(0, Math.min(end - now(), seconds * 1000))),
  };
}

/** A hook that cannot be run is an event in Kubernetes; the container is stopped all the same. */
async function runPreStop(instance: RunningContainer, container: Container): Promise<void> {
  const command = container.lifecycle?.preStop?.exec?.command;
  if (!command) return;
  const silent = () => {};
  try {
    const hook = await instance.exec(command, {
      stdin: false,
      tty: false,
      onStdout: silent,
      onStderr: silent,
    });
    await hook.exited;
  } catch {
    return;
  }
}
