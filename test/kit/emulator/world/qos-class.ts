import type { Container } from './objects.ts';

type Amounts = Record<string, string> | undefined;

/** The quality of service class, from the requests and limits of all containers. */
export function qosClass(containers: readonly Container[]): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const resources = containers.map(
    (container) => (container['resources'] ?? {}) as { requests?: Amounts; limits?: Amounts },
  );
  if (resources.every(({ requests, limits }) => !requests && !limits)) return 'BestEffort';
  const guaranteed = resources.every(({ requests, limits }) =>
    ['cpu', 'memory'].every((kind) => limits?.[kind] && (requests?.[kind] ?? limits[kind]) === limits[kind]),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
