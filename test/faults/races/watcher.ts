import type { Emulator, Pod, RequestRecord } from '../../kit/emulator/index.ts';
import { mainOf, statusOf } from '../../kit/random/read-pod.ts';
import { podName } from './changes.ts';
import { History } from './history.ts';

interface Seen {
  readonly request: RequestRecord;
  /** The pod of the name as it was when the request arrived. */
  readonly pod: Pod | undefined;
}

export class Watcher {
  readonly history: History;
  readonly #seen: Seen[] = [];
  readonly #uid: string | undefined;
  readonly #stopWatching: () => void;

  /** Begin it after the fault that changes the pod. */
  constructor({ world, faults }: Emulator, namespace: string) {
    const now = () => world.store.get<Pod>('pods', namespace, podName);
    this.#uid = now()?.metadata.uid;
    this.history = new History(world, namespace);
    const run = (request: RequestRecord) => void this.#seen.push({ request, pod: now() });
    this.#stopWatching = faults.add({ namespace }, { kind: 'Before', run });
  }

  leave(): void {
    this.#stopWatching();
    this.history.leave();
  }

  get lastShown(): Pod | undefined {
    return this.#lastServed(this.#seen.length)?.pod;
  }

  get lastShowedItStuck(): boolean {
    const served = this.#lastServed(this.#seen.length);
    return served !== undefined && this.#whyNot(served) === undefined;
  }

  /** What was sent although the last answer had shown that it must not be. */
  sentInVain(): readonly string[] {
    return this.#seen.flatMap(({ request }, index) => {
      if (!isSend(request)) return [];
      const served = this.#lastServed(index);
      const reason = served ? this.#whyNot(served) : 'nothing was read';
      return reason === undefined ? [] : [`${request.method} ${request.path.slice(0, 120)}: ${reason}`];
    });
  }

  /** The instances of the sidecar that were asked to end, if they are several. */
  instancesAsked(): readonly string[] {
    const asked = this.#seen.flatMap(({ request, pod }) =>
      entersContainer(request) && pod && pod.metadata.uid === this.#uid
        ? (statusOf(pod, 'sidecar')?.containerID ?? [])
        : [],
    );
    const instances = [...new Set(asked)];
    return instances.length > 1 ? instances : [];
  }

  /** The last answer before a request that showed the pod, or that it was not there. */
  #lastServed(before: number): Seen | undefined {
    return this.#seen
      .slice(0, before)
      .findLast(({ request }) => isReadOfPods(request) && [200, 404].includes(request.status));
  }

  #whyNot({ pod, request }: Seen): string | undefined {
    if (!pod) return 'it was gone';
    const { metadata, status } = pod;
    const { annotations = {} } = metadata;
    if (metadata.uid !== this.#uid) return 'it was another pod';
    if (metadata.deletionTimestamp) return 'it was being deleted';
    if (annotations['sidecar-sweeper.dev/skip']) return 'it had opted out';
    if (annotations['sidecar-sweeper.dev/main']) return 'its sidecar was a main';
    if (status.phase !== 'Running') return `it was ${status.phase}`;
    const end = mainOf(pod)?.state.terminated;
    if (!end) return 'its main was running';
    const age = request.at.getTime() - Date.parse(end.finishedAt);
    if (!(age >= 0 && age < aLifetime)) return `its main ended at ${end.finishedAt}`;
    return statusOf(pod, 'sidecar')?.state.running ? undefined : 'its sidecar was not running';
  }
}

/** In milliseconds; Go writes a time that was never set as the year 1. */
const aLifetime = 50 * 365 * 86_400_000;

export function isReadOfPods({ resource, subresource, verb }: RequestRecord): boolean {
  return resource === 'pods' && subresource === '' && (verb === 'get' || verb === 'list');
}

/** Whether a request may end something. */
export function isSend(request: RequestRecord): boolean {
  const { resource, verb, path } = request;
  if (resource !== 'pods' || path.includes('dryRun=All')) return false;
  return entersContainer(request) || !['get', 'list', 'watch'].includes(verb);
}

function entersContainer({ subresource }: RequestRecord): boolean {
  return subresource === 'exec' || subresource === 'portforward';
}
