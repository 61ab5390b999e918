import * as z from 'zod';
import { matchesGlob, matchesRepository } from './pattern.ts';

/** Bounded, so that matching cannot become slow: names in Kubernetes are not longer than this either. */
const pattern = z.string().min(1).max(253);
const patterns = z.array(pattern).min(1);

/**
 * One thing that an operator knows of their containers, as a policy file says it: `{ containers: [log-*], role:
 * Sidecar }`. Every part that is given has to fit; of a list one entry is enough.
 */
export const rule = z
  .strictObject({
    name: z.string().min(1).max(63).describe('what the report calls this rule'),
    role: z.enum(['Main', 'Sidecar']).default('Sidecar'),
    containers: patterns.optional().describe('names of containers; `*` stands for any characters'),
    images: patterns
      .optional()
      .describe('repositories, compared from the end of the path, with any tag: `acme/log-*`'),
    labels: z
      .record(z.string().min(1), pattern)
      .optional()
      .describe('labels of the pod: each has to be there with a value that fits'),
    namespaces: patterns.optional(),
    ownerKinds: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('such as Job; kinds of the owning object'),
  })
  .refine((value) => value.role === 'Main' || isNarrow(value.containers) || isNarrow(value.images), {
    path: ['containers'],
    message:
      'a rule that makes sidecars needs containers or images, and not only `*`: it would fit every main',
  })
  .describe('what an operator knows of their containers');

/** A rule as it stands in a policy. */
export type Rule = Readonly<z.infer<typeof rule>>;

/** What rules look at. */
export interface RuleSubject {
  readonly container: string;
  readonly image: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerKind: string | undefined;
}

/** Whether a rule speaks of a container. */
export function fitsRule(rule: Rule, subject: RuleSubject): boolean {
  const { containers, images, labels, namespaces, ownerKinds } = rule;
  return (
    (containers?.some((name) => matchesGlob(name, subject.container)) ?? true) &&
    (images?.some((image) => matchesRepository(image, subject.image)) ?? true) &&
    (namespaces?.some((name) => matchesGlob(name, subject.namespace)) ?? true) &&
    (ownerKinds?.some((kind) => kind === subject.ownerKind) ?? true) &&
    Object.entries(labels ?? {}).every(
      ([key, value]) => Object.hasOwn(subject.labels, key) && matchesGlob(value, subject.labels[key] ?? ''),
    )
  );
}

/** Whether patterns leave anything out: one that is made of stars alone does not. */
function isNarrow(list: readonly string[] | undefined): boolean {
  return list?.every((each) => /[^*/]/.test(each)) ?? false;
}
