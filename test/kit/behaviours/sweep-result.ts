import type { SweepReport } from '../../../src/report/schema.ts';

type PodReport = SweepReport['pods'][number];
type SidecarReport = Extract<PodReport['containers'][number], { readonly role: 'Sidecar' }>;

/** What a sweep of a scenario came to. */
export class SweepResult {
  constructor(
    readonly exitCode: number | null,
    readonly report: SweepReport,
  ) {}

  /** The pods of a Job. */
  pods(job: string): readonly PodReport[] {
    return this.report.pods.filter(({ owner }) => owner?.name === job);
  }

  /** The only pod of a Job. */
  pod(job: string): PodReport {
    const [pod, ...more] = this.pods(job);
    if (!pod || more.length > 0) throw new Error(`${more.length + (pod ? 1 : 0)} pods of ${job} were swept`);
    return pod;
  }

  /** A sidecar of the only pod of a Job. */
  sidecar(job: string, name = 'sidecar'): SidecarReport {
    const found = this.pod(job).containers.find((one) => one.role === 'Sidecar' && one.name === name);
    if (found?.role !== 'Sidecar') throw new Error(`${job} has no sidecar ${name}`);
    return found;
  }

  methods(job: string): readonly string[] {
    return this.sidecar(job).attempts.map(({ method }) => method);
  }
}
