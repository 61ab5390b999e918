import type { EmulatorClock } from '../../clock.ts';
import type { StartupProbe } from '../objects.ts';
import type { RunningContainer } from '../runtime.ts';
import { runHook } from './hook.ts';

interface Probing {
  readonly clock: EmulatorClock;
  /** Whether the container is still this instance. */
  isCurrent(): boolean;
  passed(): void;
}

/** Runs a startup probe until it passes, or has failed too often, which kills the container, or the container has ended. */
export function runStartupProbe(
  instance: RunningContainer,
  { exec, initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 }: StartupProbe,
  { clock, isCurrent, passed }: Probing,
): void {
  let failures = 0;
  const probe = async () => {
    if (!isCurrent()) return;
    const failure = await runHook(instance, exec && { exec }, clock);
    if (!isCurrent()) return;
    if (failure === undefined) passed();
    else if (++failures < failureThreshold) clock.after(periodSeconds * 1000, probe);
    else instance.kill('SIGKILL');
  };
  clock.after(initialDelaySeconds * 1000, probe);
}
