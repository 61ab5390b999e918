import { parseDuration } from '../../duration.ts';
import type { Millis, PodView, Policy } from '../../vocabulary.ts';
import { annotation, ownKeys } from '../annotations.ts';
import { lastEnd } from '../ended-main.ts';
import type { Check, Subject } from './subject.ts';

export const tooYoung: Check<'TooYoung'> = (subject) => {
  const age = ageOf(subject);
  const minAge = minAgeOf(subject.pod, subject.policy);
  // Of a threshold that cannot be read it is told elsewhere.
  if (age === undefined || minAge === undefined || !(age >= 0)) return [];
  return age >= minAge ? [] : [{ kind: 'TooYoung', ageMs: age }];
};

/** Written so that neither a time that is missing (NaN) nor one in the future passes. */
export const ageUnknown: Check<'AgeUnknown'> = (subject) => {
  const age = ageOf(subject);
  return age === undefined || age >= 0 ? [] : [{ kind: 'AgeUnknown' }];
};

/** Only the owner knows what they meant by an age that nobody can read; nothing is guessed in its place. */
export const unreadableAnnotation: Check<'UnreadableAnnotation'> = ({ pod, policy }) =>
  minAgeOf(pod, policy) === undefined
    ? [
        {
          kind: 'UnreadableAnnotation',
          key: ownKeys.minAge,
          problem: 'not a duration such as 90s, 5m or 1h30m',
        },
      ]
    : [];

/** How long ago the last main ended; undefined while one has not, NaN when it cannot be told. */
function ageOf({ mains, now }: Subject): Millis | undefined {
  if (mains.length === 0 || mains.some(({ container }) => container.state.kind !== 'Terminated'))
    return undefined;
  return now - lastEnd(mains);
}

/** How long its mains must have ended: the pod's own word comes before the policy's. Undefined: unreadable. */
export function minAgeOf(pod: PodView, policy: Pick<Policy, 'minAge'>): Millis | undefined {
  const own = annotation(pod.annotations, ownKeys.minAge);
  return own === undefined ? policy.minAge : parseDuration(own.trim());
}
