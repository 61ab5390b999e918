import * as z from 'zod';
import { matchesGlob, matchesRepository, repositoryOf } from '../model/image.ts';

/** Bounded, so that matching stays fast. Names in Kubernetes are no longer than this either. */
const pattern = z.string().min(1).max(253);
const patterns = z.array(pattern).min(1);

/** Of an image, compared without its tag and digest, so that a pattern with one would match none. */
export const repository = pattern.refine(
  (text) => repositoryOf(text) === text,
  'write the image without its tag and digest: it is matched with any',
);

/** Every field that a rule has must match a container; one entry of a list is enough. */
export const rule = z
  .strictObject({
    name: z.string().min(1).max(63).describe('the name of this rule in reports'),
    role: z.enum(['Main', 'Sidecar']).default('Sidecar').describe('what they are; default: Sidecar'),
    exitsWithZero: z
      .boolean()
      .optional()
      .describe('whether these sidecars exit with 0 when they are asked to end, which nothing else says'),
    containers: patterns.optional().describe('names of containers; `*` stands for any characters'),
    images: z
      .array(repository)
      .min(1)
      .optional()
      .describe('repositories, compared from the end of the path, with any tag: `acme/log-*`'),
    labels: z
      .record(z.string().min(1), pattern)
      .optional()
      .describe('labels of the pod: each must exist with a value that matches'),
    namespaces: patterns.optional().describe('names of namespaces; `*` stands for any characters'),
    ownerKinds: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('kinds of the object that owns the pod, such as Job'),
  })
  .refine((value) => value.role === 'Main' || isNarrow(value.containers) || isNarrow(value.images), {
    path: ['containers'],
    message:
      'a rule for sidecars must name containers or images, not only `*`: otherwise it would match every main',
  })
  .describe('a rule that says which containers are mains or sidecars');

export type Rule = Readonly<z.infer<typeof rule>>;

export interface RuleSubject {
  readonly container: string;
  readonly image: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerKind: string | undefined;
}

export function fitsRule(rule: Rule, subject: RuleSubject): boolean {
  const { containers, images, labels, namespaces, ownerKinds } = rule;
  return (
    (containers?.some((name) => matchesGlob(name, subject.container)) ?? true) &&
    (images?.some((image) => matchesRepository(image, subject.image)) ?? true) &&
    (namespaces?.some((name) => matchesGlob(name, subject.namespace)) ?? true) &&
    // Flyte's owner references say `flyteworkflow`, its CRD FlyteWorkflow.
    (ownerKinds?.some((kind) => kind.toLowerCase() === subject.ownerKind?.toLowerCase()) ?? true) &&
    Object.entries(labels ?? {}).every(
      ([key, value]) => Object.hasOwn(subject.labels, key) && matchesGlob(value, subject.labels[key] ?? ''),
    )
  );
}

/** Whether a container is said to exit with 0: of the rules that match it, the first that has the field decides. */
export function exitsWithZero(rules: readonly Rule[], subject: RuleSubject): boolean {
  const decisive = rules.find((rule) => rule.exitsWithZero !== undefined && fitsRule(rule, subject));
  return decisive?.exitsWithZero === true;
}

/** Whether every pattern excludes some names; a pattern of only stars does not. */
export function isNarrow(list: readonly string[] | undefined): boolean {
  return list?.every((each) => /[^*/]/.test(each)) ?? false;
}
