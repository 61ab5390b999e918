import type { PodConclusion } from '../../src/plan/sweep-event.ts';
import { type SweepReport, sweepReport } from '../../src/report/schema.ts';
import type { Pod, RequestRecord, Store } from '../kit/emulator/index.ts';
import { type Concluded, compare, unreasoned } from '../kit/random/compare.ts';
import { isStuck, mainOf } from '../kit/random/read-pod.ts';

export interface Swept {
  readonly report: SweepReport;
  readonly conclusions: readonly { readonly conclusion: PodConclusion; readonly at: number }[];
  readonly before: readonly Pod[];
  /** The cluster as it is now, when the kubelet has had the time to tell. */
  readonly store: Store;
  readonly requests: readonly RequestRecord[];
}

/** What must hold after every sweep, whatever went wrong; empty if it does. */
export interface Unsound {
  /** Stuck pods without an outcome, or with two; what was left undone without a reason. */
  readonly outcomesLost: readonly string[];
  /** What is reported as ended and runs, and every other outcome that the cluster does not show. */
  readonly falseEnds: readonly string[];
  /** Mains that were sent something, or that were changed. */
  readonly mainsTouched: readonly string[];
}

export function unsound({ report, conclusions, before, store, requests }: Swept): Unsound {
  const concluded: Concluded[] = conclusions.flatMap(({ conclusion, at }) => {
    const pod = before.find(({ metadata }) => metadata.uid === conclusion.pod.uid);
    return pod ? [{ before: pod, conclusion, at }] : [];
  });
  const invalid = sweepReport.safeParse(report).error;
  return {
    outcomesLost: [
      ...(invalid ? [`the report does not match its schema: ${invalid.message}`] : []),
      ...unreasoned(report, before.filter(isStuck)),
    ],
    falseEnds: compare(concluded, store, 0).differences,
    mainsTouched: [...requests.flatMap(sentToMain), ...before.flatMap((pod) => changedMain(pod, store))],
  };
}

/** An exec says in which container; the other requests for containers are made in the light of their whole pod. */
function sentToMain({ subresource, path }: RequestRecord): readonly string[] {
  const container = new URL(path, 'https://server').searchParams.get('container');
  return subresource === 'exec' && container === 'main' ? [path] : [];
}

function changedMain(before: Pod, store: Store): readonly string[] {
  const { namespace, name, uid } = before.metadata;
  const after = store.get<Pod>('pods', namespace, name);
  if (after?.metadata.uid !== uid) return [];
  const [was, is] = [mainOf(before), mainOf(after)];
  const same = was?.containerID === is?.containerID && was?.restartCount === is?.restartCount;
  return same ? [] : [`${namespace}/${name}: its main was ${was?.containerID} and is ${is?.containerID}`];
}
