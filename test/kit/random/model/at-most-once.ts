import type { History } from './subject.ts';
import { containerOf } from './watch.ts';

/** A step that was answered must not come again; one whose answer was lost may come once more for each time that it was. */
export function sentTwice(sent: History['sent'], events: History['events']): readonly string[] {
  const arrived = sent.filter(({ request }) => request.status === 101 || isWritten(request.status));
  const keyOf = ({ request }: History['sent'][number]) => `${request.method} ${request.path}`;
  return [...new Set(arrived.map(keyOf))].flatMap((key) => {
    const same = arrived.filter((one) => keyOf(one) === key);
    const [first] = same;
    const lost = first ? unconfirmed(events, first.request.name, containerOf(first.request)) : 0;
    return same.length > 1 + lost ? [`${key} arrived ${same.length} times`] : [];
  });
}

function isWritten(status: number): boolean {
  return status >= 200 && status < 300;
}

/** How many answers were lost to requests for a container, or for the whole pod: those tell of each of its containers. */
function unconfirmed(events: History['events'], name: string, container: string | undefined): number {
  const sentAt = events.flatMap(({ event }) =>
    event.kind === 'StepSent' &&
    event.pod.name === name &&
    (container === undefined || event.container === container) &&
    event.attempt.result.kind === 'Unconfirmed'
      ? [event.attempt.sentAt]
      : [],
  );
  return new Set(sentAt).size;
}
