import type { OwnSenders } from '../methods/method.ts';
import { UsageError } from '../usage-error.ts';
import type { OwnMethod } from './method.ts';

/** What sends the steps of these methods. Throws a UsageError if two have one name. */
export function sendersOf(methods: readonly OwnMethod[]): OwnSenders {
  const senders = new Map<string, OwnSenders[string]>();
  for (const method of methods) {
    if (senders.has(method.name)) throw new UsageError(`there are two methods of the name ${method.name}`);
    senders.set(method.name, ({ cluster, pod, abort }, container) =>
      method.send({
        pod,
        container,
        abort,
        exec: (command) => cluster.exec(pod, container, command, abort),
        request: (request) => cluster.request(pod, request, abort),
      }),
    );
  }
  return Object.fromEntries(senders);
}
