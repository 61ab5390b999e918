import type { Millis } from '../../util/time.ts';
import { statusIn } from './problem.ts';

/** How long a server asks to wait; the API server always writes seconds. */
export function parseRetryAfter(header: string | undefined): Millis | undefined {
  if (header === undefined || !/^\d+$/.test(header)) return undefined;
  return Math.min(Number(header) * 1000, Number.MAX_SAFE_INTEGER);
}

/**
 * For how long a server wants no requests at all. A disruption budget answers evictions with 429 and Retry-After, too, and a
 * webhook whatever it likes, but that is about one pod (recorded: evict; apiserver's admission/plugin/webhook/errors).
 */
export function quietAfter(status: number, header: string | undefined, body: string): Millis | undefined {
  const retryAfter = parseRetryAfter(header);
  if (retryAfter === undefined || (status !== 429 && status !== 503)) return undefined;
  const { causes = [], message = '' } = statusIn(body) ?? {};
  const isOfOnePod =
    causes.some(({ reason }) => reason === 'DisruptionBudget') || message.startsWith('admission webhook');
  return isOfOnePod ? undefined : retryAfter;
}
