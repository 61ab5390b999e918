import { type Millis, parseDuration } from '../../duration.ts';
import { annotation, ownKeys } from '../../pod/annotations.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PodView } from '../../vocabulary/pod.ts';
import { lastEnd } from '../ended-main.ts';
import type { Check, Subject } from './subject.ts';

export const tooYoung: Check<'TooYoung'> = (subject) => {
  const age = ageOf(subject);
  const minAge = minAgeOf(subject.pod, subject.policy);
  // `unreadableAnnotation` reports a min-age that cannot be read.
  if (age === undefined || minAge === undefined) return [];
  return age >= minAge ? [] : [{ kind: 'TooYoung', ageMs: age }];
};

export const ageUnknown: Check<'AgeUnknown'> = (subject) => {
  const { mains } = subject;
  const haveEnded = mains.length > 0 && mains.every(({ container }) => container.state.kind === 'Terminated');
  return haveEnded && ageOf(subject) === undefined ? [{ kind: 'AgeUnknown' }] : [];
};

/** The policy's min-age does not replace one that cannot be read: it may be too short for the pod. */
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

/** How long ago the last main ended; undefined if one has not, or a time is missing or in the future. */
function ageOf({ mains, now }: Subject): Millis | undefined {
  const endedAt = lastEnd(mains);
  return endedAt !== undefined && now !== undefined && now >= endedAt ? now - endedAt : undefined;
}

/** The min-age of a pod: its annotation takes precedence over the policy; undefined if it cannot be read. */
export function minAgeOf(pod: PodView, policy: Pick<Policy, 'minAge'>): Millis | undefined {
  const own = annotation(pod.annotations, ownKeys.minAge);
  return own === undefined ? policy.minAge : parseDuration(own.trim());
}
