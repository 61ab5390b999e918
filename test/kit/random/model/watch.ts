import type { SweepPlan } from '../../../../src/plan/sweep-plan.ts';
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
  /** How much had been sent before. */
  readonly after: number;
}

/** Sees every request about the pods of a namespace, and judges those that do something by what had been shown before. */
export class Watch {
  #sent: Sent[] = [];
  #shown: Shown[] = [];
  #plan: SweepPlan | undefined;
  readonly #stopHearing: () => void;
  #stopSeeing: () => void;

  /** To be created before any fault, so that what a fault delays or answers is heard as it comes. */
  constructor(
    private readonly emulator: Emulator,
    private readonly namespace: string,
    private readonly minAge: number,
  ) {
    this.#stopHearing = this.#before((request) => this.#hear(request));
    this.#stopSeeing = this.#before((request) => this.#see(request));
  }

  /** For another sweep. */
  begin(): void {
    this.#sent = [];
    this.#shown = [];
    this.#plan = undefined;
  }

  expect(plan: SweepPlan): void {
    this.#plan = plan;
    // What the list showed is old by now.
    this.#shown = [];
  }

  get sent(): readonly Sent[] {
    return this.#sent;
  }

  /** To be called after each new fault: a read shows the pods as they are when it is no longer delayed. */
  seeLast(): void {
    this.#stopSeeing();
    this.#stopSeeing = this.#before((request) => this.#see(request));
  }

  leave(): void {
    this.#stopHearing();
    this.#stopSeeing();
  }

  #before(run: (request: RequestRecord) => void): () => void {
    return this.emulator.faults.add({ namespace: this.namespace, resource: 'pods' }, { kind: 'Before', run });
  }

  #hear(request: RequestRecord): void {
    if (doesSomething(request)) this.#sent.push({ request, problems: this.#problemsOf(request) });
  }

  #see(request: RequestRecord): void {
    const { store } = this.emulator.world;
    const { verb, subresource, name } = request;
    if (verb === 'list') this.#show(request, store.list<Pod>('pods', this.namespace));
    else if (verb === 'get' && subresource === '') {
      const pod = store.get<Pod>('pods', this.namespace, name);
      this.#show(request, pod ? [pod] : []);
    }
  }

  #show(request: RequestRecord, pods: readonly Pod[]): void {
    const shown = new Map(pods.map((pod) => [pod.metadata.name, pod]));
    this.#shown.push({ request, pods: shown, after: this.#sent.length });
  }

  /** Why this must not be sent: a pure function of the plan and of what the last read of the pod has shown. */
  #problemsOf(request: RequestRecord): readonly string[] {
    const { name, at } = request;
    const seen = this.#lastShown(request);
    const planned = this.#plan?.pods.find(({ candidate }) => candidate.pod.ref.name === name);
    if (!planned) return ['the pod is not in the plan'];
    if (!seen) return ['the pod was not read since the list, or since a step before'];
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

  /** How the pod was shown last, after the step before for the same container; an answer that has not arrived shows nothing. */
  #lastShown(step: RequestRecord): Pod | undefined {
    const before = this.#sent.findLastIndex(({ request }) => isAboutTheSame(request, step));
    const answered = this.#shown.filter(
      ({ request: { status, verb, name }, after }) =>
        status === 200 && (verb === 'list' || name === step.name) && after > before,
    );
    return answered.at(-1)?.pods.get(step.name);
  }
}

/** A step for the whole pod is about each of its containers. */
function isAboutTheSame(one: RequestRecord, other: RequestRecord): boolean {
  const [container, another] = [containerOf(one), containerOf(other)];
  return one.name === other.name && (!container || !another || container === another);
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
