import type { OwnSenders } from '../methods/method.ts';
import { attemptResult } from '../model/outcome.ts';
import { UsageError } from '../usage-error.ts';
import type { OwnMethod } from './method.ts';

/** What sends the steps of these methods. Throws a UsageError if two have one name. */
export function sendersOf(methods: readonly OwnMethod[]): OwnSenders {
  const senders = new Map<string, OwnSenders[string]>();
  for (const method of methods) {
    if (senders.has(method.name)) throw new UsageError(`there are two methods of the name ${method.name}`);
    senders.set(method.name, async ({ cluster, pod, abort }, container) => {
      const returned: unknown = await method.send({
        pod,
        container,
        abort,
        exec: (command) => cluster.exec(pod, container, command, abort),
        request: (request) => cluster.request(pod, request, abort),
      });
      // Whatever the function is declared to return, it is not ours.
      const result = attemptResult.safeParse(returned);
      if (!result.success) throw new Error('it returned something that is not a result');
      return result.data;
    });
  }
  return Object.fromEntries(senders);
}
