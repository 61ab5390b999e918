import type { Policy } from './policy.ts';

/** The images that a sweep with this policy puts in the place of sidecars. */
export function noopImages({ swap, lastResort }: Pick<Policy, 'swap' | 'lastResort'>): readonly string[] {
  return [...(swap ? [swap] : []), ...lastResort].flatMap((spec) =>
    spec.method === 'ImageSwap' ? spec.imageSwap.image : [],
  );
}
