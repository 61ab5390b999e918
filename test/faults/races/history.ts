import type { ContainerOutcome, PodOutcome } from '../../../src/model/outcome.ts';
import type { PodConclusion } from '../../../src/plan/sweep-event.ts';
import type { Pod, World } from '../../kit/emulator/index.ts';
import { mainOf, statusOf } from '../../kit/random/read-pod.ts';
import { podName } from './changes.ts';

export class History {
  readonly #states: Pod[] = [];
  readonly #times: number[] = [];
  readonly #gone = new Set<string>();
  readonly leave: () => void;

  constructor({ store, clock }: World, namespace: string) {
    for (const pod of store.list<Pod>('pods', namespace)) this.#note(pod, 0);
    this.leave = store.subscribe(({ type, resource, object }) => {
      if (resource !== 'pods' || object.metadata.namespace !== namespace) return;
      if (type === 'DELETED') this.#gone.add(object.metadata.uid);
      this.#note(object as Pod, clock.now().getTime());
    });
  }

  asOf(uid: string | undefined, time: number): Pod | undefined {
    return this.#states.findLast(
      ({ metadata }, index) => metadata.uid === uid && (this.#times[index] ?? 0) <= time,
    );
  }

  /** Whether the pod had gone, or its sidecar had ended, before a time. */
  hasEndedBy(uid: string, time: number): boolean {
    const pod = this.asOf(uid, time - 1);
    return pod !== undefined && statusOf(pod, 'sidecar')?.state.running === undefined;
  }

  #note(pod: Pod, at: number): void {
    this.#states.push(pod);
    this.#times.push(at);
  }

  /** The pods that took the name, if they are not as they came. */
  newcomersTouched(): readonly string[] {
    const uid = this.#states[0]?.metadata.uid;
    const newcomers = this.#states.filter(
      ({ metadata }) => metadata.name === podName && metadata.uid !== uid,
    );
    const [first, last] = [newcomers[0], newcomers.at(-1)];
    if (!first || !last) return [];
    const isTouched =
      this.#gone.has(first.metadata.uid) ||
      last.metadata.deletionTimestamp !== undefined ||
      JSON.stringify(first.spec) !== JSON.stringify(last.spec) ||
      JSON.stringify(mainOf(first)) !== JSON.stringify(mainOf(last));
    return isTouched ? [`${first.metadata.uid} was changed`] : [];
  }

  /** What is concluded and was never so; `served` is what the last answer showed. */
  untrue({ pod, targets, outcome }: PodConclusion, served: Pod | undefined): readonly string[] {
    const isServed = served?.metadata.uid === pod.uid;
    const untrue = targets.filter(({ container, outcome: one }) => {
      const runs = isServed && statusOf(served, container)?.state.running !== undefined;
      return !this.#isTrueOfContainer(one, pod.uid, container, runs);
    });
    const all = [...untrue.map((one) => one.outcome), ...(this.#isTrue(outcome, pod.uid) ? [] : [outcome])];
    return all.map((one) => JSON.stringify(one));
  }

  #isTrueOfContainer(outcome: ContainerOutcome, uid: string, container: string, runs: boolean): boolean {
    const statuses = this.#ofPod(uid).flatMap((state) => statusOf(state, container) ?? []);
    switch (outcome.kind) {
      case 'Stopped':
      case 'AlreadyEnded':
        return statuses.some(({ state }) => state.terminated?.exitCode === outcome.exitCode);
      case 'Restarted':
        return statuses.some(({ restartCount }) => restartCount >= outcome.restartCount);
      case 'StillRunning':
        return runs;
      case 'Gone':
        return this.#isGone(uid, undefined);
      case 'Replaced':
        return this.#isGone(uid, outcome.uid);
      case 'Skipped':
      case 'NotStarted':
      case 'NotAttempted':
      case 'Unproven':
        return true;
    }
  }

  #isTrue(outcome: PodOutcome, uid: string): boolean {
    switch (outcome.kind) {
      case 'Ended':
        return this.#ofPod(uid).some(({ status }) => status.phase === outcome.phase);
      case 'Gone':
        return this.#isGone(uid, undefined);
      case 'Replaced':
        return this.#isGone(uid, outcome.uid);
      case 'Stuck':
      case 'Unsettled':
      case 'Skipped':
      case 'NotAttempted':
      case 'Blocked':
      case 'Unproven':
        return true;
    }
  }

  #ofPod(uid: string): readonly Pod[] {
    return this.#states.filter(({ metadata }) => metadata.uid === uid);
  }

  #isGone(uid: string, by: string | undefined): boolean {
    const hasCome = by === undefined || this.#states.some(({ metadata }) => metadata.uid === by);
    return this.#gone.has(uid) && hasCome;
  }
}
