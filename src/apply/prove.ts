import { mayHaveWorked } from '../methods/attempt.ts';
import { rbacOf } from '../methods/index.ts';
import { execRule } from '../methods/permissions.ts';
import type { PodView } from '../model/pod.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import { isUnderWay } from './attempts.ts';
import type { ApplyContext } from './context.ts';
import { type Course, type OpenCourse, unprovenUntil } from './course.ts';
import { hasEnded, observe } from './wait/observation.ts';

/** Only a running container can run this, or say that it has no shell. */
const nothing = ['/bin/sh', '-c', ':'];

/**
 * What became of a sidecar that seems to have outlived its steps: its status may lag behind its end. One that runs a command runs;
 * of any other its status tells, once no kubelet can be that late. Until then nothing harsher may follow.
 */
export async function prove(course: Course, pod: PodView, context: ApplyContext): Promise<Course> {
  const { clock, poller } = context;
  if (course.kind !== 'Open') return course;
  const { watched, attempts } = course;
  if (isProved(course, context) || isUnderWay(attempts)) return course;
  if (await runsCommands({ attempts, container: watched.container }, pod, context))
    return { ...course, outlived: attempts.length };
  const isOver = (reading: Parameters<typeof hasEnded>[0]) => hasEnded(reading, watched);
  const reading = await poller.until(pod.ref, isOver, unprovenUntil(course) - clock.now());
  return reading ? { ...course, observation: observe(reading, watched) } : course;
}

/** Whether its status cannot lag any more, or it has given a sign of life: a wait for that may have been cut. */
export function isProved(course: OpenCourse, { clock }: Pick<ApplyContext, 'clock'>): boolean {
  return course.observation.kind !== 'Running' || clock.now() >= unprovenUntil(course);
}

async function runsCommands(
  { attempts, container }: { readonly attempts: readonly Attempt[]; readonly container: string },
  pod: PodView,
  { cluster, nodes, stop, cut }: ApplyContext,
): Promise<boolean> {
  // Where none was run before, none may be permitted.
  const mayExec = attempts.some(
    (attempt) => mayHaveWorked(attempt) && rbacOf(attempt.step).includes(execRule),
  );
  if (stop.aborted || !mayExec || mayStartAgain(pod, container)) return false;
  if (nodes.isLost(pod.node)) return false;
  const result = await nodes.through(pod.node, () => cluster.exec(pod.ref, container, nothing, cut));
  return result.kind === 'NoSuchProgram' || (result.kind === 'Exited' && result.exitCode === 0);
}

/** Then the instance that runs a command may be another one than the status shows. */
function mayStartAgain({ restartPolicy, containers }: PodView, name: string): boolean {
  const container = containers.find((one) => one.name === name);
  return (container?.restartPolicy ?? restartPolicy) !== 'Never' || container?.restartRules.length !== 0;
}
