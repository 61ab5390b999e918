import type { History } from '../report/history/schema.ts';
import { fatesOf, groupBy, worstFirst } from './group.ts';
import { type Past, workloadOf } from './past.ts';
import { recurringOf } from './recurring.ts';
import { reasonsOf, stuckOf } from './stuck.ts';

const names = ['namespaces', 'images', 'owners', 'recurring', 'reasons', 'stuck'] as const;
type Lists = Pick<History, (typeof names)[number]>;

/** Of each list, as many as anybody reads. */
const most = 100;

/** Where pods got stuck, what keeps coming back, and what is still stuck: the worst of each. */
export function listsOf(pasts: readonly Past[]): Lists & Pick<History, 'leftOut'> {
  const namespaces = [...groupBy(pasts, ({ cluster, last }) => [`${cluster.id} ${last.namespace}`]).values()];
  const owners = [...groupBy(pasts, ({ originKey }) => [originKey]).values()];
  const images = [...groupBy(pasts, ({ sidecars }) => new Set(sidecars.map(({ image }) => image)))];
  const whole: Lists = {
    namespaces: worstFirst(
      namespaces.map((found) => {
        const { cluster, namespace } = workloadOf(found[0]);
        return { cluster, namespace, ...fatesOf(found) };
      }),
    ),
    images: worstFirst(images.map(([image, found]) => ({ image, ...fatesOf(found) }))),
    owners: worstFirst(owners.map((found) => ({ ...workloadOf(found[0]), ...fatesOf(found) }))),
    recurring: recurringOf(pasts),
    reasons: reasonsOf(pasts),
    stuck: stuckOf(pasts),
  };
  return {
    namespaces: whole.namespaces.slice(0, most),
    images: whole.images.slice(0, most),
    owners: whole.owners.slice(0, most),
    recurring: whole.recurring.slice(0, most),
    reasons: whole.reasons.slice(0, most),
    stuck: whole.stuck.slice(0, most),
    leftOut: Object.fromEntries(
      names.flatMap((name) => {
        const over = whole[name].length - most;
        return over > 0 ? [[name, over]] : [];
      }),
    ),
  };
}
