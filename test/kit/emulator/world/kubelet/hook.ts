import type { EmulatorClock } from '../../clock.ts';
import type { LifecycleHook } from '../objects.ts';
import type { RunningContainer } from '../runtime.ts';

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
  const io = { stdin: false, tty: false, onStdout: silent, onStderr: silent };
  try {
    const running = await instance.exec(hook.exec.command, io);
    const exitCode = await running.exited;
    return exitCode === 0 ? undefined : `command '${hook.exec.command.join(' ')}' exited with ${exitCode}`;
  } catch (error) {
    return String(error);
  }
}
