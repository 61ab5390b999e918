import type { Millis } from '../duration.ts';
import type { PodName } from '../model/pod.ts';

/** What starts pods again and again, as far as names show it. */
export interface Origin {
  readonly kind: string;
  readonly name: string;
}

interface Owned extends PodName {
  readonly owner?: Origin | undefined;
  readonly mainsEndedAt: Millis;
}

const minute: Millis = 60_000;
const day = 24 * 60 * minute;

/**
 * The end of a name that is new each time: five characters of Kubernetes' generateName, which has no vowels
 * (`alphanums` in k8s.io/apimachinery/pkg/util/rand), eight of Airflow (`add_unique_suffix`), or a date.
 */
const generated = /^(?:[bcdfghjklmnpqrstvwxz2456789]{5}|(?=[a-z]*\d)[a-z0-9]{8}|\d{8,})$/;

/** The owner of a pod without what is new in its name each time; `*` stands for that. */
export function originOf({ owner, name, mainsEndedAt }: Owned): Origin {
  const { kind, name: own } = owner ?? { kind: 'Pod', name };
  const dash = own.lastIndexOf('-');
  const [stem, end] = [own.slice(0, dash), own.slice(dash + 1)];
  if (dash < 1 || !generated.test(end)) return { kind, name: own };
  return kind === 'Job' && isDue(end, mainsEndedAt)
    ? { kind: 'CronJob', name: stem }
    : { kind, name: `${stem}-*` };
}

/**
 * A CronJob names a Job after itself and the minute it was due (`getJobName` in pkg/controller/cronjob). A
 * date in its place is no such minute: 20261122 is one of the year 2008.
 */
function isDue(end: string, mainsEndedAt: Millis): boolean {
  const due = Number(end) * minute;
  return due <= mainsEndedAt + day && due > mainsEndedAt - 366 * day;
}
