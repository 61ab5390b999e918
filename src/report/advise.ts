import * as z from 'zod';
import { causesOf, describeWhy, type Placed, placed, type StuckPods, whyStuck } from '../advice/cause.ts';
import { type CureAdvice, cureAdvice, curesOf } from '../advice/cure.ts';
import { type ClusterVersions, tagOf } from '../advice/versions.ts';
import { image, namespace, type Value } from '../model/schema.ts';
import type { RunInfo } from '../model/scope.ts';
import { evidence } from '../model/verdict.ts';
import { warning } from '../model/warning.ts';
import type { Profile } from '../policy/profile.ts';
import { printable } from '../util/text.ts';
import type { Millis } from '../util/time.ts';
import { item, paragraph, type Style } from './columns.ts';
import { count, countKinds, describeFound } from './counts.ts';
import type { LookFold } from './look-fold.ts';
import { escaped, markdownList, markdownParts, markdownRows } from './markdown.ts';
import { byName } from './order.ts';
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
} from './schema.ts';
import {
  describeHangingPod,
  describeNeverStarted,
  describeNotStartedAgain,
  describeUndecided,
  hangingToo,
} from './sweep/notes.ts';
import { describeLeftOut, describeWarning } from './texts/warnings.ts';
import { elapsed, iso } from './times.ts';

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
type AdvisedOwner = Advice['owners'][number];

/** The advice on what was listed and judged. */
export function reportAdvice(
  look: LookFold,
  { context, server }: Pick<RunInfo, 'context' | 'server'>,
  asOf: Millis | undefined,
  versions?: ClusterVersions,
  owners: readonly AdvisedOwner[] = [],
): Advice {
  const { totals, unread, undecided, neverStarted, notStartedAgain, hanging, warnings } = look.report();
  return {
    apiVersion: apiVersion.value,
    kind: 'Advice',
    ...(asOf !== undefined && { asOf: iso(asOf) }),
    cluster: { context, server, ...(versions && reportVersions(versions)) },
    listed: totals.listed,
    unread,
    undecided,
    owners: owners.toSorted(byName),
    neverStarted,
    notStartedAgain,
    hanging,
    warnings,
    leftOut: totals.leftOut,
  };
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

/** What to do so that no pods of one owner get stuck again. Each sidecar counts once, by the first of the pods that has it. */
export function adviseOwner(
  { origin, candidates }: StuckPods,
  versions: ClusterVersions,
  catalogue: readonly Profile[],
): AdvisedOwner {
  const byName = new Map<string, Placed>();
  for (const candidate of candidates) {
    for (const sidecar of placed(candidate, origin, catalogue)) {
      const { name } = sidecar.container;
      if (!byName.has(name)) byName.set(name, sidecar);
    }
  }
  const sidecars = [...byName.values()];
  const { namespace, kind, name } = origin;
  return {
    namespace,
    kind,
    name,
    pods: candidates.map(({ pod }) => pod.ref.name).sort(),
    stuckSince: iso(Math.min(...candidates.map(({ mainsEndedAt }) => mainsEndedAt))),
    sidecars: sidecars.map((sidecar) => {
      const { container, because, profile } = sidecar;
      const { name, image } = container;
      const tag = tagOf(image);
      return {
        name,
        image,
        ...(tag !== undefined && { tag }),
        because,
        ...(profile && { profile: profile.name }),
        why: causesOf(sidecar, versions),
      };
    }),
    cures: curesOf(origin, sidecars, versions),
  };
}

/** The advice in words, which text and Markdown lay out. */
function viewOf(advice: Advice) {
  const { owners, listed, unread, asOf } = advice;
  const { neverStarted, notStartedAgain, hanging, warnings, undecided, leftOut } = advice;
  const stuck = owners.reduce((sum, { pods }) => sum + pods.length, 0);
  const of = owners.length > 0 ? `, of ${count(owners.length, 'owner')}` : '';
  return {
    owners: owners.map((owner) => viewOfOwner(owner, asOf)),
    notes: [
      ...warnings.map((warning) => `warning: ${describeWarning(warning)}`),
      ...undecided.map(describeUndecided),
      ...neverStarted.map((pod) => describeNeverStarted(pod, asOf)),
      ...notStartedAgain.map((pod) => describeNotStartedAgain(pod, asOf)),
      ...hanging.map((pod) => describeHangingPod(pod, asOf)),
      ...describeLeftOut(leftOut),
    ],
    sum: describeFound(listed, unread, `${stuck} stuck${of}${hangingToo(hanging)}`),
  };
}

function viewOfOwner(
  { kind, namespace, name, pods, stuckSince, sidecars, cures }: AdvisedOwner,
  asOf: string | undefined,
) {
  const since = `${pods.length > 1 ? ', the first' : ''} for ${elapsed(stuckSince, asOf)}`;
  return {
    head: `${kind} ${namespace}/${name}: ${count(pods.length, 'pod')} stuck${since}`,
    sidecars: sidecars.map(({ name, image, why }) => ({ name, image, why: why.map(describeWhy) })),
    cures: cures.map(viewOfCure),
  };
}

function viewOfCure({ containers, does, changes, versions, first, command, source }: CureAdvice) {
  const version = versions === undefined ? '' : ` (its version is unknown; this is for those ${versions})`;
  return {
    for: `${containers.join(', ')}${version}: ${does}`,
    facts: [...first.map((before) => `first: ${before}`), `changes: ${changes}`, `source: ${source}`],
    // Part of a command is of no use.
    commands: command === undefined ? [] : [printable(command, longestLine)],
  };
}

const longestLine = 65_536;

/** The advice for people: a paragraph for each owner. Commands stand alone on their lines, to be copied. */
export function renderAdvice(advice: Advice, style: Style): string {
  const { owners, notes, sum } = viewOf(advice);
  const line = (indent: number, text: string) => item(printable(text, longestLine), style, indent);
  const lines = [
    ...owners.flatMap(({ head, sidecars, cures }) => [
      paragraph(printable(head), style, 'bold'),
      ...sidecars.flatMap(({ name, image, why }) => [
        line(2, `${name} (${image}):`),
        ...why.map((one) => line(4, one)),
      ]),
      ...cures.flatMap((cure) => [
        line(2, `cure for ${cure.for}`),
        ...cure.facts.map((fact) => line(4, fact)),
        ...cure.commands,
      ]),
      '',
    ]),
    ...notes.map((note) => paragraph(printable(note), style, 'yellow')),
    paragraph(sum, style),
  ];
  return `${lines.join('\n')}\n`;
}

/** The advice for a page or an issue: a section for each owner. */
export function adviceMarkdown(advice: Advice): string {
  const { owners, notes, sum } = viewOf(advice);
  const sections = owners.flatMap(({ head, sidecars, cures }) => [
    `## ${escaped(head)}`,
    markdownRows(
      ['SIDECAR', 'IMAGE', 'WHY'],
      sidecars.map(({ name, image, why }) => [name, image, why.join('; ')]),
    ),
    ...cures.flatMap((cure) => [
      `Cure for ${escaped(cure.for)}`,
      markdownList(cure.facts),
      ...cure.commands.map(fenced),
    ]),
  ]);
  return markdownParts(...sections, markdownList(notes), sum);
}

/** Code that may itself hold fences: its own are longer. https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${code}\n${fence}`;
}
