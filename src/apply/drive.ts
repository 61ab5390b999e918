import { mayHaveWorked } from '../methods/attempt.ts';
import { methodNamed, newImageOf, rbacOf } from '../methods/index.ts';
import type { PlannedStep, PodPlan } from '../plan/sweep-plan.ts';
import { isNotUpgraded, isUnderWay } from './attempts.ts';
import type { ApplyContext } from './context.ts';
import { beginCourse, type Course, follow, mayGoOn, type OpenCourse } from './course.ts';
import { isProved, prove } from './prove.ts';
import { takeStep } from './take.ts';
import type { Taken } from './taken.ts';

/**
 * Takes the steps of a pod from what is certain to what is not: those of each sidecar that end it with 0, one image swap for all
 * that are left, the uncertain ones of each sidecar, and last the steps for the whole pod.
 */
export async function drivePod(plan: PodPlan, context: ApplyContext): Promise<readonly Course[]> {
  const begun = plan.targets.map((target) => beginCourse(target));
  const certain = await climbAll(begun, ({ target }) => target.steps, plan, context);
  const swapped = plan.swap ? await takeForAll(certain, [plan.swap], plan, context) : certain;
  const uncertain = await climbAll(swapped, stepsLeft, plan, context);
  return takeForAll(uncertain, plan.lastResort, plan, context);
}

type StepsOf = (course: OpenCourse) => readonly PlannedStep[];

/** A mesh proxy that has waited for the others so far has all of its steps left. */
function stepsLeft({ target, attempts }: OpenCourse): readonly PlannedStep[] {
  if (isUnderWay(attempts)) return [];
  const hasWaited =
    target.isMesh && attempts.every(({ step }) => methodNamed(step.method).ends !== 'Container');
  return hasWaited ? [...target.steps, ...target.uncertain] : target.uncertain;
}

/** Takes the sidecars' own steps side by side; those that other sidecars talk through wait until the others are seen gone. */
async function climbAll(
  courses: readonly Course[],
  stepsOf: StepsOf,
  plan: PodPlan,
  context: ApplyContext,
): Promise<readonly Course[]> {
  const others = await Promise.all(
    courses.map((course) => (isMesh(course) ? course : climb(course, stepsOf, plan, context))),
  );
  if (others.some((course) => !isMesh(course) && mayStillRun(course))) return others;
  return Promise.all(
    others.map((course) => (isMesh(course) ? climb(course, stepsOf, plan, context) : course)),
  );
}

function isMesh(course: Course): boolean {
  return course.kind === 'Open' && course.target.isMesh;
}

/** Takes a sidecar's own steps, and waits for the proof of what became of it. */
async function climb(begun: Course, stepsOf: StepsOf, plan: PodPlan, context: ApplyContext): Promise<Course> {
  return prove(await takeOwn(begun, stepsOf, plan, context), plan.candidate.pod, context);
}

/** One step after the other until the sidecar has ended or there are no more; a container that has ended runs no command. */
async function takeOwn(
  begun: Course,
  stepsOf: StepsOf,
  plan: PodPlan,
  context: ApplyContext,
): Promise<Course> {
  let course = begun;
  const steps = begun.kind === 'Open' ? stepsOf(begun) : [];
  for (const step of steps) {
    if (course.kind !== 'Open' || course.observation.kind !== 'Running' || isSwapped(course)) return course;
    if (needsRefusedUpgrade(step, course)) continue;
    const taken = await takeStep(plan, [course], step, context);
    const next = follow(course, taken);
    // Nothing was sent, so that there is nothing to go on from.
    if (taken.kind === 'Withheld') return next;
    course = next;
    if (course.kind === 'Open' && !mayGoOn(course)) return course;
  }
  return course;
}

/**
 * Whether a step needs the same upgrade as one before it that was refused at every try. If it got through after all, a KILL would
 * follow a TERM that never arrived.
 */
function needsRefusedUpgrade(step: PlannedStep, { attempts }: OpenCourse): boolean {
  return attempts.some(
    ({ step: before, result }) =>
      isNotUpgraded(result) && rbacOf(before).some((rule) => rbacOf(step).includes(rule)),
  );
}

/** Takes the steps for the whole pod, each by one request for all sidecars that are left, until none is. */
async function takeForAll(
  before: readonly Course[],
  steps: readonly PlannedStep[],
  plan: PodPlan,
  context: ApplyContext,
): Promise<readonly Course[]> {
  let courses = before;
  for (const step of steps) {
    const left = courses.filter(mayStillRun).filter((course) => isFor(step, course, plan));
    // A step for the pod would end those that could not be asked, too.
    if (!courses.filter(mayStillRun).every((course) => mayGoOn(course) && isProved(course, context))) break;
    if (left.length === 0) continue;
    const taken = await takeStep(plan, left, step, context);
    const followed = courses.map((course) =>
      course.kind === 'Open' && left.includes(course) ? followPodStep(course, taken) : course,
    );
    courses = await Promise.all(followed.map((course) => prove(course, plan.candidate.pod, context)));
    if (taken.kind !== 'Attempted') break;
  }
  return courses;
}

/** A swap leaves out the sidecars whose images cannot be swapped; any other step is for all of them. */
function isFor(step: PlannedStep, { target }: OpenCourse, { swappable }: PodPlan): boolean {
  return newImageOf(step) === undefined || swappable.some(({ container }) => container === target.container);
}

/** If the step for the pod was not sent, a read shows what became of the sidecar's own steps. */
function followPodStep(course: OpenCourse, taken: Taken): Course {
  return taken.kind === 'Withheld' && course.attempts.length > 0 ? course : follow(course, taken);
}

function mayStillRun(course: Course): course is OpenCourse {
  return (
    course.kind === 'Open' &&
    (course.observation.kind === 'Running' || course.observation.kind === 'Restarted') &&
    !isSwapped(course)
  );
}

/** An image swap that may have arrived is under way, however long it takes: no reason for a harsher step. */
function isSwapped({ attempts }: OpenCourse): boolean {
  return attempts.some((attempt) => newImageOf(attempt.step) !== undefined && mayHaveWorked(attempt));
}
