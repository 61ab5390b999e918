import { setImmediate } from 'node:timers/promises';
import type { PodPlan } from '../plan/sweep-plan.ts';
import type { Guard } from './guard/guard.ts';

/** After so many pods that wait, signals and answers have their turn. */
const atATime = 64;

/** Takes pods out in their order. Those that would only wait for others to go first come as soon as they need not wait. */
export async function* inTurn(pods: PodPlan[], guard: Pick<Guard, 'wait'>): AsyncGenerator<PodPlan> {
  const returned: PodPlan[] = [];
  let outside = 0;
  let wake: () => void = () => undefined;
  const comeBack = (pod: PodPlan) => {
    outside--;
    returned.push(pod);
    wake();
  };
  pods.reverse();
  while (pods.length + outside + returned.length > 0) {
    const back = returned.shift();
    const pod = back ?? pods.pop();
    if (!pod) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    const wait = back ? undefined : waitOf(pod, guard);
    if (!wait) yield pod;
    else {
      outside++;
      const come = () => comeBack(pod);
      void wait.then(come, come);
      if (outside % atATime === 0) await setImmediate();
    }
  }
}

function waitOf(pod: PodPlan, guard: Pick<Guard, 'wait'>): Promise<void> | undefined {
  try {
    return guard.wait(pod);
  } catch {
    // It meets the same error when it asks for its first step, and there it is its own.
    return undefined;
  }
}
