import { stringify } from 'yaml';
import * as z from 'zod';
import { type AdmissionAdvice, admissionAdvice } from '../advice/admission-policy.ts';
import { causesOf, describeWhy, placed, type StuckPods, whyStuck } from '../advice/cause.ts';
import { type CureAdvice, cureAdvice, curesOf } from '../advice/cure.ts';
import type { ClusterVersions } from '../advice/versions.ts';
import { container, image, list, namespace, object, text, texts, type Value } from '../model/schema.ts';
import type { RunInfo } from '../model/scope.ts';
import { evidence } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import type { Profile } from '../policy/profile.ts';
import { groupsOf } from '../util/groups.ts';
import { printable } from '../util/text.ts';
import type { Millis } from '../util/time.ts';
import { elapsed, ifAny, iso, many } from './format.ts';
import { describeFound, notesOnFound } from './found.ts';
import { type Extent, namesOf, stuckSince, worst } from './groups.ts';
import type { JudgedPods } from './judged-pods.ts';
import { byName } from './names.ts';
import { apiVersion, found, time, totals } from './scan-schema.ts';
import { describeLeftOut } from './texts/warnings.ts';
import { type Block, bullets, codeOf, notes, sentence, type View } from './view.ts';

const advisedOwner = object('an owner whose pods are stuck, and what to do about it', {
  namespace,
  kind: text('CronJob, Job, Pod, or another kind of owner'),
  name: text('its name'),
  pods: texts('those that are stuck'),
  stuckSince: time.describe('when the first of them got stuck'),
  sidecars: list(
    'the sidecars that keep them from ending',
    z.object({
      name: container,
      image,
      because: evidence,
      why: z.array(whyStuck),
    }),
  ),
  cures: z.array(cureAdvice),
});

export const advice = object(
  'Why pods got stuck although there are native sidecars, and how to keep that from happening',
  {
    apiVersion,
    kind: z.literal('Advice'),
    ...found,
    totals,
    owners: z.array(advisedOwner),
    admission: admissionAdvice.optional(),
  },
);

export type Advice = Value<typeof advice>;
type AdvisedOwner = Advice['owners'][number];

export function reportAdvice(
  judged: JudgedPods<unknown>,
  { context, server }: Pick<RunInfo, 'context' | 'server'>,
  policy: Pick<Policy, 'scope' | 'minAge'>,
  asOf: Millis | undefined,
  { owners = [], admission }: Partial<Pick<Advice, 'owners' | 'admission'>> = {},
): Advice {
  return {
    apiVersion: apiVersion.value,
    kind: 'Advice',
    ...judged.report({ context, server }, policy, asOf),
    owners: owners.toSorted(byName),
    admission,
  };
}

/** The cures for the pods of one owner. Each sidecar counts once, by the first of the pods that has it. */
export function adviseOwner(
  { origin, candidates }: StuckPods,
  versions: ClusterVersions,
  catalogue: readonly Profile[],
): AdvisedOwner {
  const all = candidates.flatMap((candidate) => placed(candidate, origin, catalogue));
  const sidecars = groupsOf(all, ({ container }) => container.name).map(([first]) => first);
  const { namespace, kind, name } = origin;
  return {
    ...{ namespace, kind, name },
    pods: candidates.map(({ pod }) => pod.ref.name).sort(),
    stuckSince: iso(stuckSince(candidates)),
    sidecars: sidecars.map((sidecar) => ({
      name: sidecar.container.name,
      image: sidecar.container.image,
      because: sidecar.because,
      why: causesOf(sidecar, versions),
    })),
    cures: curesOf(origin, sidecars, versions),
  };
}

/** One section for all owners whose templates have the same sidecars and the same cure. `kubectl` has the flags for their cluster. */
export function adviceView(advice: Advice, { wide }: Extent, kubectl = 'kubectl'): View {
  const { owners, asOf } = advice;
  const extent = { wide };
  const groups = groupsOf(owners, ({ kind, name: owner, sidecars, cures }) =>
    JSON.stringify([
      kind,
      sidecars.map(({ name, image, why }) => [name, image, why.map(describeWhy)]),
      cures.map(({ command: _command, patch: _patch, ...alike }) => alike),
    ]).replaceAll(owner, ''),
  ).toSorted((a, b) => countPods(b) - countPods(a));
  const { shown, more } = worst(groups, extent);
  const waiting = advice.neverStarted.length + advice.notStartedAgain.length;
  const ofOwners = owners.length > 0 && waiting === 0 ? `, of ${many(owners.length, 'owner')}` : '';
  const sections: View['sections'] = [
    ...shown.map((group) => sectionOf(group, asOf, extent)),
    ...(advice.admission && advice.admission.moves.length > 0 ? [sectionOnPolicy(advice.admission)] : []),
    [
      notes(ifAny(more, `and ${many(more, 'other kind')} of templates (-o wide)`)),
      notes([...notesOnFound(advice, extent), ...describeLeftOut(advice.totals.leftOut)], 'yellow'),
      sentence(describeFound(advice, countPods(owners) + waiting, ofOwners)),
    ],
  ];
  const reaching = (block: Block): Block =>
    block.kind === 'Code'
      ? { ...block, text: block.text.replace(/^kubectl(?! patch --local)/, () => kubectl) }
      : block;
  return { sections: sections.map((blocks) => blocks.map(reaching)) };
}

function countPods(owners: readonly AdvisedOwner[]): number {
  return owners.reduce((sum, { pods }) => sum + pods.length, 0);
}

function sectionOf(
  group: readonly [AdvisedOwner, ...AdvisedOwner[]],
  asOf: string | undefined,
  extent: Extent,
): readonly Block[] {
  const [{ kind, namespace, name, sidecars, cures }] = group;
  const pods = countPods(group);
  const since = group.map(({ stuckSince }) => stuckSince).sort()[0] ?? '';
  const age = `${pods > 1 ? ', the first' : ''} for ${elapsed(since, asOf)}`;
  const isOne = group.length === 1;
  const of = isOne ? `${kind} ${namespace}/${name}` : many(group.length, kind);
  return [
    { kind: 'Heading', text: `${of}: ${many(pods, 'pod')} stuck${age}` },
    ...(isOne ? [] : [bullets([`${kind}s: ${namesOf(group, extent)}; what follows is about the first`])]),
    ...sidecars.map(({ name, image, why }) => bullets([`${name} (${image}):`], why.map(describeWhy))),
    ...cures.flatMap((cure, index) => blocksOfCure(cure, group, index, extent)),
  ];
}

function blocksOfCure(
  { containers, does, changes, versions, first, source }: CureAdvice,
  group: readonly AdvisedOwner[],
  index: number,
  { wide }: Extent,
): readonly Block[] {
  const version = versions === undefined ? '' : ` (its version is unknown; this is for those ${versions})`;
  const commands = group.flatMap(({ cures }) => cures[index]?.command ?? []);
  const shown = wide ? commands : commands.slice(0, 1);
  const others = commands.length - shown.length;
  const similar = `for the first of them; ${many(others, 'other')} ${others === 1 ? 'is' : 'are'} similar (-o wide shows each command):`;
  return [
    bullets(
      [`cure for ${containers.join(', ')}${version}: ${does}`],
      [
        ...first.map((before) => `first: ${before}`),
        `changes: ${changes}`,
        `source: ${source}`,
        ...ifAny(others, similar),
      ],
    ),
    ...shown.map(codeOf),
  ];
}

/** One policy does for all owners what their patches do, also for those whose template cannot be changed. */
function sectionOnPolicy({ moves, namespaces, label, first, manifests }: AdmissionAdvice): readonly Block[] {
  const does = `cure for ${moves.join(', ')} in all new pods: an admission policy that makes them native sidecars`;
  const where = `changes: pods that are meant to end, in namespaces labelled ${label}`;
  const before = first.map((each) => `first: ${each}`);
  if (manifests.length === 0) return [bullets([does], [...before, where])];
  // Only the caller knows the flags that find the same pods in the same cluster.
  const how = 'to print it for kubectl apply -f: add -o admission-policy to this command';
  return [
    bullets([does], [...before, where, how]),
    codeOf(`kubectl label namespace ${namespaces.join(' ')} ${label}`),
  ];
}

export function admissionManifest({ admission, owners }: Pick<Advice, 'admission' | 'owners'>): string {
  if (!admission) return commented(['No sidecar that is not native keeps pods from ending.']);
  const { moves, namespaces, label, leaves, first, manifests } = admission;
  const isThere = manifests.length > 0;
  const cures = owners.flatMap(({ kind, namespace, name, cures: [best] }) =>
    best ? [`  ${kind} ${namespace}/${name}: ${best.does}`] : [],
  );
  const head = [
    ...(isThere
      ? [
          `Makes ${moves.join(', ')} native in new pods that are meant to end, in namespaces with this label:`,
          `  kubectl label namespace ${namespaces.join(' ')} ${label}`,
        ]
      : ['There is no policy to apply.']),
    ...first.map((each) => `First, ${each}.`),
    ...leaves.map(({ container, because }) => `It leaves ${container} alone: ${because}.`),
    ...(isThere || cures.length === 0 ? [] : ['Instead, as `sidecar-sweeper advise` says:', ...cures]),
  ];
  return [commented(head), ...manifests.map((each) => stringify(each, { lineWidth: 0 }))].join('---\n');
}

function commented(lines: readonly string[]): string {
  return lines.map((line) => `# ${printable(line)}\n`).join('');
}
