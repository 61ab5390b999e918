import type { PodPlan } from '../plan/sweep-plan.ts';
import type { ApplyContext } from './context.ts';
import { beginCourse, type Course, follow, mayGoOn, type OpenCourse } from './course.ts';
import { takeStep } from './take.ts';
import type { Taken } from './taken.ts';

/** Takes the steps of a pod's sidecars side by side, then those for the whole pod if a sidecar is left. */
export async function drivePod(plan: PodPlan, context: ApplyContext): Promise<readonly Course[]> {
  const climbed = await Promise.all(plan.targets.map((target) => climb(beginCourse(target), plan, context)));
  return resort(climbed, plan, context);
}

/** Takes a sidecar's own steps one after the other until it has ended or there are no more. */
async function climb(begun: Course, { candidate }: PodPlan, context: ApplyContext): Promise<Course> {
  let course = begun;
  const steps = begun.kind === 'Open' ? begun.target.steps : [];
  for (const step of steps) {
    if (course.kind !== 'Open' || course.observation.kind !== 'Running') return course;
    const taken = await takeStep(candidate.pod.ref, [course], step, context);
    const next = follow(course, taken);
    // Nothing was sent, so that there is nothing to go on from.
    if (taken.kind === 'Withheld') return next;
    course = next;
    if (course.kind === 'Open' && !mayGoOn(course)) return course;
  }
  return course;
}

/** Takes the steps for the whole pod, each by one request for all sidecars that are left, until none is. */
async function resort(
  climbed: readonly Course[],
  { candidate, lastResort }: PodPlan,
  context: ApplyContext,
): Promise<readonly Course[]> {
  let courses = climbed;
  for (const step of lastResort) {
    const left = courses.filter(mayStillRun);
    // A step for the pod would end those that could not be asked, too.
    if (left.length === 0 || !left.every(mayGoOn)) break;
    const taken = await takeStep(candidate.pod.ref, left, step, context);
    courses = courses.map((course) =>
      course.kind === 'Open' && left.includes(course) ? followPodStep(course, taken) : course,
    );
    if (taken.kind !== 'Attempted') break;
  }
  return courses;
}

/** If the step for the pod was not sent, a read shows what became of the sidecar's own steps. */
function followPodStep(course: OpenCourse, taken: Taken): Course {
  return taken.kind === 'Withheld' && course.attempts.length > 0 ? course : follow(course, taken);
}

function mayStillRun(course: Course): course is OpenCourse {
  return (
    course.kind === 'Open' &&
    (course.observation.kind === 'Running' || course.observation.kind === 'Restarted')
  );
}
