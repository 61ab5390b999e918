import type { SweepPlan } from '../../../src/plan/sweep-plan.ts';
import type { Emulator, Pod, RequestRecord } from '../../emulator/index.ts';
import { statusOf } from '../read-pod.ts';

/** A command or a write that arrived, and what was wrong with sending it. */
export interface Sent {
  readonly request: RequestRecord;
  readonly problems: readonly string[];
}

/** What the sweeper was shown of a pod. */
interface Shown {
  readonly request: RequestRecord;
  readonly pods: ReadonlyMap<string, Pod>;
}

/** Sees every request about the pods of a namespace, and judges those that do something by what had been shown before. */
export class Watch {
  readonly sent: Sent[] = [];
  readonly #shown: Shown[] = [];
  #plan: SweepPlan | undefined;
  readonly leave: () => void;

  constructor(
    private readonly emulator: Emulator,
    private readonly namespace: string,
    private readonly minAge: number,
  ) {
    this.leave = emulator.faults.add(
      { namespace, resource: 'pods' },
      { kind: 'Before', run: (request) => this.#see(request) },
    );
  }

  expect(plan: SweepPlan): void {
    this.#plan = plan;
  }

  #see(request: RequestRecord): void {
    const { store } = this.emulator.world;
    const { verb, subresource, name } = request;
    if (verb === 'list') this.#show(request, store.list<Pod>('pods', this.namespace));
    else if (verb === 'get' && subresource === '') {
      const pod = store.get<Pod>('pods', this.namespace, name);
      this.#show(request, pod ? [pod] : []);
    } else if (doesSomething(request)) this.sent.push({ request, problems: this.#problemsOf(request) });
  }

  #show(request: RequestRecord, pods: readonly Pod[]): void {
    this.#shown.push({ request, pods: new Map(pods.map((pod) => [pod.metadata.name, pod])) });
  }

  /** Why this must not be sent: a pure function of the plan and of what the last read of the pod has shown. */
  #problemsOf(request: RequestRecord): readonly string[] {
    const { name, at } = request;
    const seen = this.#lastShown(name);
    const planned = this.#plan?.pods.find(({ candidate }) => candidate.pod.ref.name === name);
    if (!seen) return ['the pod was not read before'];
    if (!planned) return ['the pod is not in the plan'];
    const { metadata } = seen;
    const main = statusOf(seen, 'main')?.state.terminated;
    const age = at.getTime() - Date.parse(main?.finishedAt ?? '');
    return [
      ...(metadata.uid === planned.candidate.pod.ref.uid ? [] : ['it is another pod']),
      ...(metadata.deletionTimestamp ? ['it is being deleted'] : []),
      ...(metadata.annotations?.['kubernetes.io/config.mirror'] ? ['it is a static pod'] : []),
      ...(metadata.annotations?.['sidecar-sweeper.dev/skip'] ? ['it is opted out'] : []),
      ...(main ? [] : ['its main has not ended']),
      ...(main && main.exitCode !== 0 && seen.spec.restartPolicy !== 'Never'
        ? ['its main will start again']
        : []),
      ...(main && !(age >= this.minAge) ? [`its main ended ${age} ms ago`] : []),
      ...this.#containerProblems(request, seen, planned.targets),
    ];
  }

  #containerProblems(
    request: RequestRecord,
    seen: Pod,
    targets: SweepPlan['pods'][number]['targets'],
  ): readonly string[] {
    const name = containerOf(request);
    if (name === undefined) return [];
    const target = targets.find(({ container }) => container === name);
    if (name === 'main' || target?.kind !== 'Planned') return [`${name} is no target`];
    const { state, containerID } = statusOf(seen, name) ?? {};
    if (!state?.running) return [`${name} was not running`];
    return containerID?.endsWith(target.containerId) ? [] : [`${name} is another instance`];
  }

  /** An answer that has not arrived shows nothing. */
  #lastShown(name: string): Pod | undefined {
    const answered = this.#shown.filter(
      ({ request }) => request.status === 200 && (request.verb === 'list' || request.name === name),
    );
    return answered.at(-1)?.pods.get(name);
  }
}

/** The container of an exec; undefined if the request is about the whole pod. */
export function containerOf({ path, subresource }: RequestRecord): string | undefined {
  if (subresource !== 'exec') return undefined;
  return new URL(path, 'https://server').searchParams.get('container') ?? undefined;
}

/** Not a question whether the container still runs commands, and not a rehearsal. */
function doesSomething({ path, subresource, method }: RequestRecord): boolean {
  const query = new URL(path, 'https://server').searchParams;
  if (subresource === 'exec') return query.getAll('command').at(-1) !== ':';
  return subresource === 'portforward' || (method !== 'GET' && query.get('dryRun') === null);
}
