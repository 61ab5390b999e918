import type { EmulatorClock } from '../../clock.ts';
import type { Container, LifecycleHook } from '../objects.ts';
import type { ContainerExit, RunningContainer } from '../runtime/runtime.ts';

/** Runs a postStart or preStop hook. Returns why it failed; undefined if it succeeded or there is none. */
export async function runHook(
  instance: RunningContainer,
  hook: LifecycleHook | undefined,
  clock: EmulatorClock,
): Promise<string | undefined> {
  if (hook?.sleep) {
    const milliseconds = hook.sleep.seconds * 1000;
    await new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
  }
  if (!hook?.exec) return undefined;
  const silent = () => {};
  try {
    const exitCode = await instance.exec(hook.exec.command, { onStdout: silent, onStderr: silent });
    return exitCode === 0 ? undefined : `command '${hook.exec.command.join(' ')}' exited with ${exitCode}`;
  } catch (error) {
    return String(error);
  }
}

const SHORTEST_GRACE_AFTER_HOOK = 2;

export interface Stop {
  readonly exited: Promise<ContainerExit>;
  shorten(graceSeconds: number): void;
}

/** Stops a container as the kubelet does: preStop hook, stop signal, and SIGKILL after the grace period. */
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

  /** Even if the hook used up the grace period, the container gets two seconds after the signal. */
  function signal(): void {
    if (signalled) return;
    signalled = true;
    instance.kill((container.lifecycle?.stopSignal ?? 'SIGTERM') as NodeJS.Signals);
    const hook = container.lifecycle?.preStop !== undefined;
    endGraceIn(Math.max(end - now(), hook ? SHORTEST_GRACE_AFTER_HOOK * 1000 : 0));
  }

  endGraceIn(graceSeconds * 1000);
  // A failed hook is only an Event in Kubernetes; the container is stopped regardless.
  void runHook(instance, container.lifecycle?.preStop, clock).then(signal);
  void instance.exited.then(() => cancel());
  return {
    exited: instance.exited,
    shorten: (seconds) => endGraceIn(Math.max(0, Math.min(end - now(), seconds * 1000))),
  };
}
