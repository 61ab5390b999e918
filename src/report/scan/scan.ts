import * as z from 'zod';
import type { Millis } from '../../duration.ts';
import type { SweepEvent } from '../../events.ts';
import { image } from '../../fields.ts';
import { type Candidate, evidence, type RunInfo, remark, type Value, warning } from '../../vocabulary.ts';
import { LookFold } from '../look-fold.ts';
import { byName } from '../order.ts';
import { reportOwner } from '../plan.ts';
import {
  apiVersion,
  cluster,
  endedMain,
  hanging,
  leftOut,
  listed,
  neverStarted,
  notStartedAgain,
  owner,
  podIdentity,
  restartPolicy,
  time,
  undecided,
  unread,
} from '../schema.ts';
import { iso } from '../times.ts';

const sidecar = z.object({
  name: z.string().describe('the name of the container'),
  image,
  because: evidence,
  state: z.string().describe('its state, such as Running'),
});

const stuckPod = podIdentity
  .extend({
    owner: owner.optional(),
    restartPolicy,
    mainsEndedAt: time.describe('when the last main container ended; the pod has been stuck since then'),
    mains: z.array(endedMain),
    sidecars: z.array(sidecar).describe('those that keep it from ending'),
    remarks: z.array(remark),
  })
  .describe('a pod that a sweep would act on');

/** The output of `scan`: the pods that a sweep would act on, but not what it would do. */
export const scan = z
  .object({
    apiVersion,
    kind: z.literal('Scan'),
    asOf: time.optional().describe("the server's time; missing if nothing could be listed"),
    cluster,
    listed,
    unread,
    undecided,
    candidates: z.array(stuckPod),
    neverStarted: z.array(neverStarted).describe('only with --include-pending'),
    notStartedAgain: z.array(notStartedAgain),
    hanging: z.array(hanging),
    warnings: z.array(warning),
    leftOut,
  })
  .describe('The pods that are stuck');

export type Scan = Value<typeof scan>;
type StuckPod = Value<typeof stuckPod>;

/** Collects what listing and judging found into a scan. */
export class ScanFold {
  readonly #look = new LookFold({ verbose: false });

  hear(event: SweepEvent): void {
    this.#look.hear(event);
  }

  report({ context, server }: Pick<RunInfo, 'context' | 'server'>, asOf?: Millis): Scan {
    const { totals, unread, undecided, neverStarted, notStartedAgain, hanging, warnings } =
      this.#look.report();
    return {
      apiVersion: 'sidecar-sweeper.dev/v1',
      kind: 'Scan',
      ...(asOf !== undefined && { asOf: iso(asOf) }),
      cluster: { context, server },
      listed: totals.listed,
      unread,
      undecided,
      candidates: [...this.#look.candidates.values()].map(reportStuckPod).sort(byName),
      neverStarted,
      notStartedAgain,
      hanging,
      warnings,
      leftOut: totals.leftOut,
    };
  }
}

function reportStuckPod({ pod, mains, sidecars, mainsEndedAt, remarks }: Candidate): StuckPod {
  return {
    ...pod.ref,
    ...(pod.node !== undefined && { node: pod.node }),
    ...reportOwner(pod),
    restartPolicy: pod.restartPolicy,
    mainsEndedAt: iso(mainsEndedAt),
    mains: mains.map((each) => ({ ...each, endedAt: iso(each.endedAt) })),
    sidecars: sidecars.map(({ because, container: { name, image, state } }) => ({
      name,
      image,
      because,
      state: state.kind,
    })),
    remarks,
  };
}
