import * as z from 'zod';
import { cureAdvice, whyStuck } from '../../advise/advice.ts';
import type { ClusterVersions } from '../../advise/native.ts';
import type { OwnerAdvice } from '../../advise/owner.ts';
import type { Millis } from '../../duration.ts';
import type { SweepEvent } from '../../events.ts';
import { evidence } from '../../model/evidence.ts';
import type { RunInfo } from '../../model/scope.ts';
import { image, namespace, type Value } from '../../model/value.ts';
import { warning } from '../../model/warning.ts';
import { countKinds } from '../counts.ts';
import { LookFold } from '../look-fold.ts';
import { byName } from '../order.ts';
import {
  apiVersion,
  cluster,
  hanging,
  leftOut,
  listed,
  neverStarted,
  notStartedAgain,
  time,
  undecided,
  unread,
} from '../schema.ts';
import { iso } from '../times.ts';

const advisedOwner = z
  .object({
    namespace,
    kind: z.string().describe('CronJob, Job, Pod, or another kind of owner'),
    name: z.string().describe('its name'),
    pods: z.array(z.string()).describe('those that are stuck'),
    stuckSince: time.describe('when the first of them got stuck'),
    sidecars: z
      .array(
        z.object({
          name: z.string().describe('the name of the container'),
          image,
          tag: z.string().optional().describe('the tag of its image'),
          because: evidence,
          profile: z.string().optional().describe('its entry in the catalogue'),
          why: z.array(whyStuck),
        }),
      )
      .describe('the sidecars that keep them from ending'),
    cures: z.array(cureAdvice),
  })
  .describe('an owner whose pods are stuck, and what to do about it');

/** The output of `advise`. */
export const advice = z
  .object({
    apiVersion,
    kind: z.literal('Advice'),
    asOf: time.optional().describe("the server's time; missing if nothing could be listed"),
    cluster: cluster
      .extend({
        version: z
          .string()
          .optional()
          .describe('the version of the API server; missing if it cannot be read, or nothing is stuck'),
        kubelets: z
          .record(z.string(), z.int())
          .optional()
          .describe(
            'how many nodes run which version; missing if they cannot be listed, or nothing is stuck',
          ),
      })
      .describe('the cluster'),
    listed,
    unread,
    undecided,
    owners: z.array(advisedOwner),
    neverStarted: z.array(neverStarted).describe('only with --include-pending; there is no advice on them'),
    notStartedAgain: z.array(notStartedAgain).describe('there is no advice on them, either'),
    hanging: z.array(hanging).describe('there is no advice on them, but each has a page'),
    warnings: z.array(warning),
    leftOut,
  })
  .describe('Why pods got stuck although there are native sidecars, and how to keep that from happening');

export type Advice = Value<typeof advice>;
export type AdvisedOwner = Advice['owners'][number];

/** Collects what listing and judging found into advice. */
export class AdviceFold {
  readonly #look = new LookFold({ verbose: false });

  hear(event: SweepEvent): void {
    this.#look.hear(event);
  }

  report(
    { context, server }: Pick<RunInfo, 'context' | 'server'>,
    asOf?: Millis,
    versions?: ClusterVersions,
    owners: readonly OwnerAdvice[] = [],
  ): Advice {
    const { totals, unread, undecided, neverStarted, notStartedAgain, hanging, warnings } =
      this.#look.report();
    return {
      apiVersion: 'sidecar-sweeper.dev/v1',
      kind: 'Advice',
      ...(asOf !== undefined && { asOf: iso(asOf) }),
      cluster: { context, server, ...(versions && reportVersions(versions)) },
      listed: totals.listed,
      unread,
      undecided,
      owners: owners.map(reportOwner).sort(byName),
      neverStarted,
      notStartedAgain,
      hanging,
      warnings,
      leftOut: totals.leftOut,
    };
  }
}

function reportVersions({
  server,
  kubelets,
}: ClusterVersions): Pick<Advice['cluster'], 'version' | 'kubelets'> {
  return {
    ...(server !== undefined && { version: server }),
    ...(kubelets.kind === 'Read' && {
      kubelets: countKinds(kubelets.kubelets.map(({ version }) => version)),
    }),
  };
}

function reportOwner({ origin, candidates, stuckSince, sidecars, cures }: OwnerAdvice): AdvisedOwner {
  const { namespace, kind, name } = origin;
  return {
    namespace,
    kind,
    name,
    pods: candidates.map(({ pod }) => pod.ref.name).sort(),
    stuckSince: iso(stuckSince),
    sidecars: sidecars.map(({ tag, profile, ...sidecar }) => ({
      ...sidecar,
      ...(tag !== undefined && { tag }),
      ...(profile !== undefined && { profile }),
    })),
    cures,
  };
}
