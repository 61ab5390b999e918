import type { PodConclusion } from '../../../../src/plan/sweep-event.ts';
import type { Pod, Store } from '../../emulator/index.ts';
import { type Concluded, compare, unreasoned } from '../compare.ts';
import { isStuck, mainOf } from '../read-pod.ts';
import { longestSweep } from '../simulated-cluster.ts';
import { retryAfter } from './faults.ts';
import { codeBySpec, miscounted, problemsOfLog, secretsIn } from './outputs.ts';
import { isJudged } from './pods.ts';
import { disordered, sentTwice } from './steps.ts';
import { type History, minAge } from './subject.ts';

/** What is wrong with a sweep; empty if the invariant holds. The store shows the cluster half a minute later. */
type Invariant = (history: History, later: Store) => readonly string[];

/** What must hold after every sweep, whatever happened during it. */
export const invariants = {
  'accounting: every stuck pod has exactly one outcome': ({ report, before, touched, started, ended }) => {
    const quiet = before.filter(
      ({ metadata }) => !touched.some(({ uid, at }) => uid === metadata.uid && at <= ended),
    );
    const isOld = (finishedAt: string | undefined) => started - Date.parse(finishedAt ?? '') >= minAge;
    const stuck = quiet.filter((pod) => {
      const { annotations = {} } = pod.metadata;
      const isLeft =
        'sidecar-sweeper.dev/skip' in annotations || 'kubernetes.io/config.mirror' in annotations;
      return isStuck(pod) && !isLeft && isOld(mainOf(pod)?.state.terminated?.finishedAt);
    });
    return unreasoned(report, report.run.stoppedEarly ? [] : stuck);
  },
  'accounting: every pod listed is counted once, and every sidecar has one outcome': ({ report }) =>
    miscounted(report),
  'accounting: every candidate is in the report once': ({ report, events }) => {
    const judged = events.flatMap(({ event }) =>
      event.kind === 'PodJudged' && event.verdict.kind === 'Candidate' ? [event.verdict.pod.ref.uid] : [],
    );
    const reported = report.pods.map(({ uid }) => uid);
    const same = judged.sort().join() === reported.sort().join();
    return same ? [] : [`candidates are ${judged}, reported are ${reported}`];
  },
  'safety: nothing is sent to a main, another pod, or one that is young, static, terminating or opted out': ({
    sent,
  }) =>
    sent.flatMap(({ request, problems }) =>
      problems.map((one) => `${request.method} ${request.path}: ${one}`),
    ),
  'dry run: reads and nothing else': ({ sweep, requests }) =>
    requests.flatMap(({ method, verb, path, subresource }) =>
      sweep.dryRun && (!['get', 'list'].includes(verb) || subresource !== '') ? [`${method} ${path}`] : [],
    ),
  'bound: requests in flight stay within --concurrency, and four of a node': ({ sweep, gauge }) => {
    const { concurrency } = sweep;
    const over = (what: string, is: number, most: number) =>
      is > most ? [`${is} ${what}, ${most} were allowed`] : [];
    return [
      // Those that wait long for a silent node have given their slots back, as many once more at most.
      ...over('were in flight', gauge.most, 2 * concurrency),
      ...over('went through the node', gauge.mostThroughNode, 4),
    ];
  },
  'ladder: steps are taken in their order, each after the grace of the one before': ({ events, ends }) =>
    conclusionsOf(events).flatMap(({ conclusion }) =>
      disordered(conclusion, plannedOf(events, conclusion), ends),
    ),
  'at most once: no step is sent twice unless it may not have arrived': ({ sent, events }) =>
    sentTwice(sent, events),
  'no false success: what is reported as ended or gone is so at that moment, whatever happened to it': ({
    untrue,
  }) => untrue,
  'no false success: every outcome is what the cluster shows later': ({ before, events, touched }, later) => {
    const untouched = conclusionsOf(events).flatMap(({ conclusion, at }): Concluded[] => {
      const pod = before.find(({ metadata }) => metadata.uid === conclusion.pod.uid);
      return pod && !touched.some(({ uid }) => uid === conclusion.pod.uid)
        ? [{ before: pod, conclusion, at }]
        : [];
    });
    return compare(untouched, later, 0).differences;
  },
  'finished work: what others judge by its phase neither fails nor goes by a sweep, without allow': (
    { sweep, before, touched },
    later,
  ) =>
    before.flatMap((pod) => {
      const { namespace, name, uid } = pod.metadata;
      const isDone = mainOf(pod)?.state.terminated?.exitCode === 0;
      const isOurs = isDone && isJudged(pod) && isStuck(pod);
      if (sweep.uncleanExit === 'allow' || !isOurs || touched.some((one) => one.uid === uid)) return [];
      const now = later.get<Pod>('pods', namespace, name);
      return now && now.status.phase !== 'Failed' ? [] : [`${name} is ${now ? 'Failed' : 'gone'}`];
    }),
  'exit code: a function of the report alone': ({ report }) => codeBySpec(report),
  'liveness: a sweep ends by its deadline or signal and 5 s': ({ started, ended, stoppedAt }) => {
    const late = ended - Math.min(stoppedAt ?? Number.POSITIVE_INFINITY, started + longestSweep);
    return late > 5_000 ? [`it went on for ${late} ms`] : [];
  },
  'Retry-After: no request in the time in which the server wants none': ({ requests }) =>
    requests.flatMap(({ status, at, path, subresource }) => {
      if (status !== 429) return [];
      const end = at.getTime() + retryAfter * 1_000;
      // A kubelet speaks only for what it was asked.
      const meant = /^(exec|portforward)$/.test(subresource)
        ? requests.filter((one) => one.path === path)
        : requests;
      const early = meant.filter((one) => one.at > at && one.at.getTime() < end);
      return early.map((one) => `${one.path} came ${one.at.getTime() - at.getTime()} ms after ${path}`);
    }),
  'secrecy: no token and no value of an environment variable in any output': ({ log, report, secrets }) =>
    secrets.flatMap((secret) => secretsIn(`${log}${JSON.stringify(report)}`, secret)),
  'log integrity: every line is one JSON object without control characters': ({ log, report }) =>
    problemsOfLog(log, report),
} as const satisfies Record<string, Invariant>;

export type InvariantName = keyof typeof invariants;

type Events = History['events'];

function conclusionsOf(
  events: Events,
): readonly { readonly conclusion: PodConclusion; readonly at: number }[] {
  return events.flatMap(({ event, at }) =>
    event.kind === 'PodConcluded' ? [{ conclusion: event.conclusion, at }] : [],
  );
}

function plannedOf(events: Events, { pod }: PodConclusion) {
  return events
    .flatMap(({ event }) => (event.kind === 'PlanMade' ? event.plan.pods : []))
    .find(({ candidate }) => candidate.pod.ref.uid === pod.uid);
}
