import type {
  Attempt,
  Candidate,
  ContainerOutcome,
  Millis,
  NotAttemptedReason,
  PodConclusion,
  PodPlan,
  PodRef,
  Policy,
  Problem,
  RunInfo,
  Sidecar,
  Step,
  StopReason,
  SweepEvent,
  TargetConclusion,
  Warning,
} from '../vocabulary.ts';
import { reportAttempt, reportStep } from './reported-steps.ts';
import type { ContainerReport, PlannedStep, PodReport, SweepReport } from './schema.ts';
import { VerdictFold } from './verdict-fold.ts';

/** Hears a sweep's events and knows its report at any moment, complete even when the sweep was cut short. */
export class ReportFold {
  #started:
    | { at: Millis; run: RunInfo; policy: Pick<Policy, 'scope' | 'minAge' | 'uncleanExit'> }
    | undefined;
  #finishedAt: Millis | undefined;
  #asOf: Millis = Number.NaN;
  #stopped: StopReason | undefined;
  #listed = 0;
  #otherShards = 0;
  readonly #verdicts: VerdictFold;
  readonly #unread: { namespace: string | undefined; problem: Problem }[] = [];
  readonly #plans = new Map<string, PodPlan>();
  readonly #conclusions = new Map<string, PodConclusion>();
  readonly #attempts = new Map<string, readonly Attempt[]>();
  readonly #warnings = new Map<string, Warning>();

  /** Verbose: the report names every pod that was left alone. */
  constructor({ verbose }: { readonly verbose: boolean } = { verbose: false }) {
    this.#verdicts = new VerdictFold({ verbose });
  }

  hear(event: SweepEvent): void {
    switch (event.kind) {
      case 'SweepStarted':
        this.#started = event;
        break;
      case 'PageListed':
        this.#listed += event.pods + event.malformed.length + event.otherShards;
        this.#otherShards += event.otherShards;
        this.#verdicts.hearMalformed(event.malformed);
        break;
      case 'ReadFailed':
        this.#unread.push(event);
        break;
      case 'PodJudged':
        this.#verdicts.hear(event.verdict);
        break;
      case 'PlanMade':
        this.#asOf = event.plan.asOf;
        for (const plan of event.plan.pods) this.#plans.set(plan.candidate.pod.ref.uid, plan);
        break;
      case 'StepSent': {
        const key = `${event.pod.uid}/${event.container}`;
        this.#attempts.set(key, [...(this.#attempts.get(key) ?? []), event.attempt]);
        break;
      }
      case 'PodConcluded':
        this.#conclusions.set(event.conclusion.pod.uid, event.conclusion);
        break;
      case 'Warned':
        this.#warn(event.warning);
        break;
      case 'Stopping':
        this.#stopped ??= event.reason;
        break;
      case 'SweepFinished':
        this.#finishedAt = event.at;
        break;
    }
  }

  report(): SweepReport {
    if (!this.#started) throw new Error('a report was asked for before the sweep began');
    const { at, run, policy } = this.#started;
    const finishedAt = this.#finishedAt ?? at;
    const { totals, ...verdicts } = this.#verdicts.report();
    const pods = this.#verdicts.candidates.map((candidate) => this.#reportPod(candidate)).sort(byName);
    return {
      apiVersion: 'sidecar-sweeper.dev/v1',
      kind: 'SweepReport',
      run: {
        id: run.id,
        version: run.version,
        startedAt: iso(at),
        finishedAt: iso(finishedAt),
        durationMs: Math.round(finishedAt - at),
        ...(Number.isFinite(this.#asOf) && { asOf: iso(this.#asOf) }),
        dryRun: run.dryRun,
        ...(this.#stopped && { stoppedEarly: this.#stopped }),
      },
      cluster: { context: run.context, server: run.server },
      scope: {
        namespaces: policy.scope.namespaces,
        ...(policy.scope.labelSelector !== undefined && { labelSelector: policy.scope.labelSelector }),
        includePending: policy.scope.includePending ?? false,
        minAgeMs: policy.minAge,
        ...(policy.scope.shard && { shard: policy.scope.shard }),
      },
      unread: this.#unread.map(({ namespace, problem }) => ({
        ...(namespace !== undefined && { namespace }),
        problem: problem.kind,
        message: problem.message,
      })),
      totals: {
        listed: this.#listed,
        otherShards: this.#otherShards,
        ...totals,
        pods: sorted(countBy(pods.map(({ outcome }) => outcome.kind))),
        sidecars: sorted(
          countBy(
            pods.flatMap(({ containers }) =>
              containers.flatMap((container) =>
                container.role === 'Sidecar' ? [container.outcome.kind] : [],
              ),
            ),
          ),
        ),
      },
      ...verdicts,
      pods,
      warnings: [...this.#warnings.values()],
    };
  }

  /** The same is said once; of Jobs that cannot be read, in how many namespaces ever. */
  #warn(warning: Warning): void {
    if (warning.kind !== 'JobsUnreadable') {
      this.#warnings.set(JSON.stringify(warning), warning);
      return;
    }
    const before = this.#warnings.get(warning.kind);
    const first = before?.kind === 'JobsUnreadable' ? before : warning;
    const namespaces = [...new Set([...first.namespaces, ...warning.namespaces])].sort();
    this.#warnings.set(warning.kind, { ...first, namespaces });
  }

  #reportPod({ pod, mains, sidecars, mainsEndedAt, remarks }: Candidate): PodReport {
    const { uid } = pod.ref;
    const plan = this.#plans.get(uid);
    const conclusion = this.#conclusions.get(uid) ?? this.#withoutConclusion(pod.ref);
    return {
      ...pod.ref,
      ...(pod.node !== undefined && { node: pod.node }),
      ...(pod.owner && { owner: { kind: pod.owner.kind, name: pod.owner.name } }),
      restartPolicy: pod.restartPolicy,
      mainsEndedAt: iso(mainsEndedAt),
      isProtected: plan?.isProtected ?? false,
      lastResort: (plan?.lastResort ?? []).map((step) => this.#reportStep(step, pod.ref)),
      prediction: plan?.prediction ?? { phase: 'Unknown', job: 'Unknown' },
      requests: pod.requests,
      containers: [
        ...mains.map((main): ContainerReport => ({ role: 'Main', ...main, endedAt: iso(main.endedAt) })),
        ...sidecars.map((sidecar) => this.#reportSidecar(sidecar, conclusion)),
        ...pod.nativeSidecars.map((native): ContainerReport => ({ role: 'NativeSidecar', ...native })),
      ],
      remarks,
      outcome: conclusion.outcome,
    };
  }

  #reportSidecar({ container, because }: Sidecar, { pod, targets }: PodConclusion): ContainerReport {
    const planned = this.#plans.get(pod.uid)?.targets.find((one) => one.container === container.name);
    const { name, image } = container;
    const target = targets.find((candidate) => candidate.container === name);
    return {
      role: 'Sidecar',
      name,
      image,
      because,
      steps: planned?.kind === 'Planned' ? planned.steps.map((step) => this.#reportStep(step, pod)) : [],
      unfit: planned?.kind === 'Planned' ? planned.unfit : [],
      attempts: (target?.attempts ?? []).map(reportAttempt),
      outcome: target?.outcome ?? this.#notAttempted(),
      ...(target?.endedAt !== undefined && { endedAt: iso(target.endedAt) }),
    };
  }

  #reportStep(step: Step, { uid }: PodRef): PlannedStep {
    const isProtected = this.#plans.get(uid)?.isProtected ?? false;
    return reportStep(step, isProtected, this.#started?.policy.uncleanExit ?? 'canary');
  }

  /** What is known of a pod that the sweep did not come to, or did not come back to. */
  #withoutConclusion(pod: PodRef): PodConclusion {
    const planned = this.#plans.get(pod.uid)?.targets ?? [];
    const targets = planned.map((target): TargetConclusion => {
      const { container } = target;
      const attempts = this.#attempts.get(`${pod.uid}/${container}`) ?? [];
      const outcome: ContainerOutcome =
        target.kind === 'Skipped' ? target.outcome : attempts.length > 0 ? neverRead : this.#notAttempted();
      return { container, attempts, outcome, endedAt: undefined };
    });
    const wasTouched = targets.some(({ attempts }) => attempts.length > 0);
    return { pod, targets, outcome: wasTouched ? neverRead : this.#notAttempted() };
  }

  #notAttempted(): { kind: 'NotAttempted'; reason: NotAttemptedReason } {
    const reason = this.#started?.run.dryRun ? 'DryRun' : (this.#stopped ?? 'InternalError');
    return { kind: 'NotAttempted', reason };
  }
}

const neverRead = { kind: 'Unproven', problem: 'the sweep broke off before it read the pod again' } as const;

function iso(time: Millis): string {
  return new Date(time).toISOString();
}

function countBy(kinds: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function byName(a: PodReport, b: PodReport): number {
  const left = `${a.namespace}/${a.name}`;
  const right = `${b.namespace}/${b.name}`;
  return left < right ? -1 : left > right ? 1 : 0;
}
