import { type Emulator, type Job, type Pod, type RequestRecord, readIndexes } from '../emulator/index.ts';
import { isNoop } from './noop-images.ts';
import { hasEndedMain, isSidecar, jobOf, mainOf, overSince, statusOf } from './read-pod.ts';

/** A sidecar with a non-zero exit code although the work was done. */
export interface UncleanEnd {
  readonly pod: string;
  readonly image: string;
}

export class Witness {
  readonly #unclean = new Map<string, UncleanEnd>();
  /** Jobs, and their indexes, of which a main failed or a pod was removed by others. */
  readonly #excused = new Set<string>();
  readonly #late: { readonly container: string; readonly request: RequestRecord }[] = [];
  readonly #wrong: string[] = [];
  /** Requests that a fault kept from the node. */
  readonly #faulty = new Set<RequestRecord>();
  readonly #stopListening: () => void;
  readonly #stopCounting: () => void;

  constructor(
    private readonly emulator: Emulator,
    private readonly namespace: string,
  ) {
    this.#stopListening = emulator.world.store.subscribe(({ resource, object }) => {
      if (resource === 'pods' && object.metadata.namespace === namespace) this.#see(object as Pod);
    });
    this.#stopCounting = emulator.faults.add(
      { resource: 'pods', namespace, when: endsSomething },
      { kind: 'Before', run: (request) => this.#seeStep(request) },
    );
  }

  /** What was sent to a main, or to a pod whose main had not ended for good. */
  sentWrongly(): readonly string[] {
    return this.#wrong;
  }

  uncleanEnds(): readonly UncleanEnd[] {
    return [...this.#unclean.values()];
  }

  noteFault(request: RequestRecord): void {
    this.#faulty.add(request);
  }

  /** Containers that were sent more than one command after they had ended. */
  sentTwice(): readonly string[] {
    const arrived = this.#late.flatMap(({ container, request }) =>
      // It came as far as the node, which answered that there is no such container.
      [101, 500].includes(request.status) && !this.#faulty.has(request) ? [container] : [],
    );
    return [...new Set(arrived.filter((container, index) => arrived.indexOf(container) !== index))];
  }

  /** Others remove a pod: what its Job does about it is not the sweep's doing. */
  excuse(pod: Pod): void {
    for (const name of namesOf(pod)) this.#excused.add(name);
  }

  /** Jobs and indexes that failed although their mains succeeded and their pods were not removed. */
  finishedButFailed(): readonly string[] {
    return this.emulator.world.store.list<Job>('jobs', this.namespace).flatMap((job) => {
      const { name } = job.metadata;
      const indexes = readIndexes(job.status.failedIndexes).map((index) => `${name} index ${index}`);
      const failed = job.status.conditions?.some(({ type }) => type === 'Failed' || type === 'FailureTarget');
      // A Job of which an index fails, fails in the end as well.
      const self = failed && indexes.length === 0 ? [name] : [];
      return [...self, ...indexes].filter((one) => !this.#excused.has(one));
    });
  }

  leave(): void {
    this.#stopListening();
    this.#stopCounting();
  }

  #see(pod: Pod): void {
    const { metadata, spec, status } = pod;
    if (metadata.deletionTimestamp) return;
    const main = mainOf(pod);
    const codes = [main?.state.terminated?.exitCode, main?.lastState.terminated?.exitCode];
    if (codes.some((code) => code !== undefined && code !== 0)) this.excuse(pod);
    if (codes[0] !== 0 || !this.#costs(pod)) return;
    for (const { name, image } of spec.containers.filter(isSidecar)) {
      const { state, lastState, restartCount } = statusOf(pod, name) ?? {};
      const note = (what: string) => {
        const key = `${metadata.uid} ${name} ${isNoop(image) ? 'no-op' : what}`;
        this.#unclean.set(key, { pod: metadata.name, image });
      };
      if (status.phase === 'Failed' && state?.terminated && state.terminated.exitCode !== 0) note('end');
      // A swap also increments restartCount, but is not an unclean end.
      const last = lastState?.terminated;
      if (isNoop(image) ? last?.reason === 'StartError' : restartCount && last?.exitCode)
        note(`${restartCount}`);
    }
  }

  /** Whether an unclean end costs finished work: its Job is not over, or its owner is unknown. */
  #costs(pod: Pod): boolean {
    const owner = pod.metadata.ownerReferences?.[0];
    if (!owner || pod.status.conditions?.some(({ type }) => type === 'DisruptionTarget')) return false;
    const job = jobOf(this.emulator.world.store, pod);
    return owner.apiVersion !== 'batch/v1' || (job !== undefined && overSince(job) === undefined);
  }

  #seeStep(request: RequestRecord): void {
    const { name, path, subresource } = request;
    const container = new URL(path, 'https://server').searchParams.get('container') ?? '';
    const pod = this.emulator.world.store.get<Pod>('pods', this.namespace, name);
    if (!pod) return;
    if (container === 'main' || !hasEndedMain(pod)) this.#wrong.push(`${request.method} ${path}`);
    if (subresource !== 'exec' || this.emulator.world.kubelet.running(pod.metadata.uid, container)) return;
    const id = statusOf(pod, container)?.containerID;
    this.#late.push({ container: `${name} ${container} ${id}`, request });
  }
}

/** Not a question, and not a rehearsal. */
function endsSomething({ path, subresource, method }: RequestRecord): boolean {
  const query = new URL(path, 'https://server').searchParams;
  if (subresource === 'exec') return query.getAll('command').at(-1) !== ':';
  return subresource === 'portforward' || (method !== 'GET' && query.get('dryRun') === null);
}

function namesOf({ metadata }: Pod): readonly string[] {
  const job = metadata.ownerReferences?.[0]?.name;
  const index = metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
  return job === undefined ? [] : [job, `${job} index ${index}`];
}
