import type { StopReason } from '../../model/outcome.ts';
import type { Candidate } from '../../model/verdict.ts';
import type { PodConclusion, SweepEvent } from '../../plan/sweep-event.ts';
import type { PodPlan } from '../../plan/sweep-plan.ts';
import { concludeUnplanned, concludeUnread, type Reported } from '../../plan/unsent.ts';
import { countKinds } from '../../util/groups.ts';
import type { Millis } from '../../util/time.ts';
import { iso } from '../format.ts';
import { JudgedPods } from '../judged-pods.ts';
import { apiVersion, byName } from '../names.ts';
import type { PodReport, SweepReport } from '../schema.ts';
import { isCap } from '../texts/outcomes.ts';
import { sidecarsOf } from './planned.ts';
import { reportPod } from './pod.ts';

/** Builds the report from the events of a sweep; complete at any moment, even if the sweep is cut short. */
export class ReportFold {
  #started: Extract<SweepEvent, { readonly kind: 'SweepStarted' }> | undefined;
  #finished: Extract<SweepEvent, { readonly kind: 'SweepFinished' }> | undefined;
  #asOf: Millis | undefined;
  #uid: string | undefined;
  #stopped: StopReason | undefined;
  #isBraked = false;
  readonly #judged: JudgedPods<Candidate>;
  readonly #plans = new Map<string, PodPlan>();
  readonly #pods: PodReport[] = [];
  readonly #reported = new Map<string, readonly Reported[]>();

  constructor(options?: { readonly verbose: boolean }) {
    this.#judged = new JudgedPods((candidate) => candidate, options);
  }

  hear(event: SweepEvent): void {
    this.#judged.hear(event);
    switch (event.kind) {
      case 'SweepStarted':
        this.#started = event;
        break;
      case 'ClusterIdentified':
        this.#uid = event.uid;
        break;
      case 'PlanMade':
        this.#asOf = event.plan.asOf;
        for (const plan of event.plan.pods) this.#plans.set(plan.candidate.pod.ref.uid, plan);
        break;
      case 'StepSent': {
        const { pod, container, attempt } = event;
        const before = this.#reported.get(pod.uid) ?? [];
        this.#reported.set(pod.uid, [...before, { containers: [container], attempt }]);
        break;
      }
      case 'PodConcluded':
        this.#conclude(event.conclusion);
        break;
      case 'Stopping':
        // A stop while only Events are left to be written has kept the sweep from nothing.
        if (!this.#finished || event.reason === 'InternalError') this.#stopped ??= event.reason;
        break;
      case 'Warned':
        this.#isBraked ||= event.warning.kind === 'Braked';
        break;
      case 'SweepFinished':
        this.#finished = event;
        break;
    }
  }

  report(): SweepReport {
    if (!this.#started) throw new Error('there is no report before the sweep has started');
    const { at, run, policy } = this.#started;
    const { id, version, dryRun, context, server, clusterName: name } = run;
    const finishedAt = this.#finished?.at ?? at;
    const cluster = { context, server, name, uid: this.#uid };
    const { totals, ...found } = this.#judged.report(cluster, policy, this.#asOf);
    const open = [...this.#judged.candidates.values()].map((candidate) =>
      this.#reportPod(candidate, this.#withoutConclusion(candidate)),
    );
    const pods = withEndedJobs([...this.#pods, ...open]).sort(byName);
    return {
      apiVersion,
      kind: 'SweepReport',
      run: {
        ...{ id, version, dryRun },
        startedAt: iso(at),
        finishedAt: iso(finishedAt),
        durationMs: Math.round(finishedAt - at),
        stoppedEarly: this.#stopped,
      },
      ...found,
      totals: { ...totals, ...countOutcomes(pods) },
      pods,
    };
  }

  /** Reports the pod, and frees the memory of its events. */
  #conclude(conclusion: PodConclusion): void {
    const { uid } = conclusion.pod;
    const candidate = this.#judged.candidates.get(uid);
    if (!candidate) return;
    this.#pods.push(this.#reportPod(candidate, conclusion));
    this.#judged.candidates.delete(uid);
    this.#plans.delete(uid);
    this.#reported.delete(uid);
  }

  #reportPod(candidate: Candidate, conclusion: PodConclusion): PodReport {
    return reportPod(candidate, this.#plans.get(candidate.pod.ref.uid), conclusion, this.#started?.at);
  }

  /** The conclusion about a pod that the sweep did not reach, or did not read again. */
  #withoutConclusion(candidate: Candidate): PodConclusion {
    const { uid } = candidate.pod.ref;
    const plan = this.#plans.get(uid);
    const isDryRun = this.#started?.run.dryRun;
    const reason = isDryRun ? 'DryRun' : (this.#stopped ?? (this.#isBraked ? 'Braked' : 'InternalError'));
    if (!plan) return concludeUnplanned(candidate, { kind: 'NotAttempted', reason });
    const problem = 'the sweep ended before it read the pod again';
    return concludeUnread(plan, reason, {
      reported: this.#reported.get(uid) ?? [],
      isCut: this.#finished?.isCut === true && !this.#isBraked && !isDryRun,
      problem,
    });
  }
}

/** Each pod has its Job as it was when that pod ended. If it was complete or had failed after a later one, it has for all. */
function withEndedJobs(pods: readonly PodReport[]): PodReport[] {
  const keyOf = ({ namespace, owner }: PodReport) => JSON.stringify([namespace, owner]);
  const jobOf = ({ outcome }: PodReport) => ('job' in outcome ? outcome.job : undefined);
  const ended = new Map(
    pods.flatMap((pod) => {
      const job = jobOf(pod);
      return job?.kind === 'Complete' || job?.kind === 'Failed' ? [[keyOf(pod), job] as const] : [];
    }),
  );
  return pods.map((pod) => {
    const { outcome, harm } = pod;
    const job = ended.get(keyOf(pod));
    if (!job || !('job' in outcome)) return pod;
    const isLost = job.kind === 'Failed' && ['Active', 'RunsAgain', 'Unknown'].includes(outcome.job.kind);
    if (!isLost && outcome.job.kind !== 'Active') return pod;
    const told = { ...pod, outcome: { ...outcome, job } };
    return isLost && harm ? { ...told, harm: { kind: 'JobFailed', permitted: harm.permitted } } : told;
  });
}

function countOutcomes(pods: readonly PodReport[]) {
  const outcomes = pods.flatMap((pod) => sidecarsOf(pod).map(({ outcome }) => outcome));
  return {
    pods: countKinds(pods.map(({ outcome }) => outcome.kind)),
    sidecars: countKinds(outcomes.map(({ kind }) => kind)),
    stillRunning: countKinds(
      outcomes.flatMap((outcome) => (outcome.kind === 'StillRunning' ? outcome.because.kind : [])),
    ),
    leftForNext: countKinds(
      pods.flatMap(({ outcome }) =>
        outcome.kind === 'NotAttempted' && isCap(outcome.reason) ? outcome.reason : [],
      ),
    ),
    harm: countKinds(pods.flatMap(({ harm }) => harm?.kind ?? [])),
  };
}
