import type { PodConclusion, SweepEvent } from '../../../src/events.ts';
import type { Store } from '../../emulator/index.ts';
import { type Concluded, compare } from '../compare.ts';
import { unreasoned } from '../expectations.ts';
import { isStuck, mainOf } from '../read-pod.ts';
import { longestSweep } from '../simulated-cluster.ts';
import { retryAfter } from './faults.ts';
import { disordered } from './ladder.ts';
import { problemsOfLog, secretsIn } from './log-lines.ts';
import { codeBySpec } from './naive-exit-code.ts';
import { type History, minAge } from './subject.ts';
import { containerOf } from './watch.ts';

/** What is wrong with a sweep; empty if the invariant holds. The store shows the cluster half a minute later. */
type Invariant = (history: History, later: Store) => readonly string[];

/** What must hold after every sweep, whatever happened during it. */
export const invariants = {
  'accounting: every stuck pod has exactly one outcome': ({ report, before, touched, started }) => {
    const quiet = before.filter(({ metadata }) => !touched.some(({ uid }) => uid === metadata.uid));
    const isOld = (finishedAt: string | undefined) => started - Date.parse(finishedAt ?? '') >= minAge;
    const stuck = quiet.filter((pod) => {
      const { annotations = {} } = pod.metadata;
      const isLeft =
        'sidecar-sweeper.dev/skip' in annotations || 'kubernetes.io/config.mirror' in annotations;
      return isStuck(pod) && !isLeft && isOld(mainOf(pod)?.state.terminated?.finishedAt);
    });
    return unreasoned(report, report.run.stoppedEarly ? [] : stuck);
  },
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
  'dry run: no writes and no commands': ({ sweep, sent }) =>
    sweep.dryRun ? sent.map(({ request }) => `${request.method} ${request.path}`) : [],
  'bound: requests in flight stay within --concurrency': ({ sweep, report, mostInFlight }) => {
    const { load } = report.run;
    const most = sweep.concurrency + (load?.silentRequests ?? 0);
    return [
      ...(mostInFlight > most ? [`${mostInFlight} were in flight, ${most} were allowed`] : []),
      ...((load?.requests ?? 0) > sweep.concurrency ? [`the report says ${load?.requests}`] : []),
    ];
  },
  'ladder: steps are taken in their order, each after the grace of the one before': ({ events }) =>
    conclusionsOf(events).flatMap(({ conclusion }) => disordered(conclusion, plannedOf(events, conclusion))),
  'at most once: no step is sent twice unless it may not have arrived': ({ sent, events }) =>
    sentTwice(sent, events),
  'no false success: every outcome is what the cluster shows later': ({ before, events, touched }, later) => {
    const untouched = conclusionsOf(events).flatMap(({ conclusion, at }): Concluded[] => {
      const pod = before.find(({ metadata }) => metadata.uid === conclusion.pod.uid);
      return pod && !touched.some(({ uid }) => uid === conclusion.pod.uid)
        ? [{ before: pod, conclusion, at }]
        : [];
    });
    return compare(untouched, later, 0).differences;
  },
  'exit code: a function of the report alone': ({ report }) => codeBySpec(report),
  'liveness: a sweep ends by its deadline or signal and 5 s': ({ started, ended, stoppedAt }) => {
    const late = ended - Math.min(stoppedAt ?? Number.POSITIVE_INFINITY, started + longestSweep);
    return late > 5_000 ? [`it went on for ${late} ms`] : [];
  },
  'Retry-After: no request in the time in which the server wants none': ({ requests }) =>
    requests.flatMap(({ status, at, path }) => {
      if (status !== 429) return [];
      const end = at.getTime() + retryAfter * 1_000;
      const early = requests.filter((one) => one.at > at && one.at.getTime() < end);
      return early.map((one) => `${one.path} came ${one.at.getTime() - at.getTime()} ms after ${path}`);
    }),
  'secrecy: no token in any output': ({ log, report, token }) =>
    secretsIn(`${log}${JSON.stringify(report)}`, token),
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

/** A command that was answered must not come again; one whose answer was lost may come once more. */
function sentTwice(sent: History['sent'], events: Events): readonly string[] {
  const arrived = sent.filter(({ request }) => containerOf(request) !== undefined && request.status === 101);
  const paths = arrived.map(({ request }) => request.path);
  return [...new Set(paths)].flatMap((path) => {
    const count = paths.filter((one) => one === path).length;
    const url = new URL(path, 'https://server');
    const [, , , , , , name] = url.pathname.split('/');
    const unconfirmed = events.filter(({ event }) =>
      isUnconfirmed(event, name ?? '', url.searchParams.get('container') ?? ''),
    ).length;
    return count > 1 + unconfirmed ? [`${path} arrived ${count} times`] : [];
  });
}

function isUnconfirmed(event: SweepEvent, name: string, container: string): boolean {
  return (
    event.kind === 'StepSent' &&
    event.pod.name === name &&
    event.container === container &&
    event.attempt.result.kind === 'Unconfirmed'
  );
}
