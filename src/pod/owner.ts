import type { Owner, PodView } from '../vocabulary/pod.ts';

/** The Job that owns a pod. Other projects have a kind Job as well (`batch.volcano.sh`); those are not meant. */
export function jobOf({ owner }: Pick<PodView, 'owner'>): Owner | undefined {
  return owner?.kind === 'Job' && owner.group === 'batch' ? owner : undefined;
}

/** What a Job is remembered by. Whoever creates a pod may write any uid into it, also that of a Job in another namespace. */
export function jobKey(namespace: string, { name, uid }: Pick<Owner, 'name' | 'uid'>): string {
  return `${namespace}/${name}/${uid}`;
}
