import * as z from 'zod';
import { noopImage } from '../methods/image-swap.ts';
import { stepSpec } from '../methods/index.ts';
import { duration, timer } from '../methods/method.ts';
import { shortened } from '../model/bounds.ts';
import { exampleSelector, isLabelSelector, namespaceName } from '../model/scope.ts';
import { didYouMean } from '../util/text.ts';
import { type FileProblem, readYaml } from '../util/yaml.ts';
import { catalogue } from './catalogue.ts';
import { defaults } from './defaults.ts';
import { profile } from './profile.ts';
import { rule } from './rules.ts';
import { check, type InputKind, type InputProblem } from './validation.ts';

const namespaces = z.array(
  z.string().regex(namespaceName, {
    error: ({ input }) =>
      `${input === '' ? '""' : input} is not a valid namespace name${String(input).includes('*') ? '; patterns are not supported here' : ''}`,
  }),
);
const labelSelector = z.string().refine(isLabelSelector, `write a label selector such as ${exampleSelector}`);
const cap = z.int().min(1).optional();

const itsVersion = 'sidecar-sweeper.dev/v1';
const itsKind = 'SweepPolicy';

/** A policy file. All fields but apiVersion and kind are optional; command-line flags take precedence. */
export const policyFile = z
  .strictObject({
    apiVersion: z.literal(itsVersion),
    kind: z.literal(itsKind),
    namespaces: namespaces.optional().describe('only these namespaces; all if omitted'),
    excludeNamespaces: namespaces.optional().describe('namespaces to leave out; none if omitted'),
    namespaceSelector: labelSelector
      .optional()
      .describe('only namespaces with these labels, as in kubectl; this takes list on namespaces'),
    labelSelector: labelSelector.optional().describe('only pods with these labels, as in kubectl'),
    minAge: duration.optional().describe('how long ago the last main container must have ended'),
    annotationCommands: z
      .enum(['off', 'allowlist', 'any'])
      .optional()
      .describe("which kill commands in pods' annotations are run; default: allowlist"),
    allowedCommands: z
      .array(z.array(z.string()).min(1))
      .optional()
      .describe('commands to add to the allowlist; `<word>` stands for letters, digits and ._/-'),
    uncleanExit: z
      .enum(['allow', 'forbid'])
      .optional()
      .describe(
        'what to do if a sidecar may exit with a non-zero code and a Job would run finished work again; default: forbid',
      ),
    imageSwap: noopImage
      .optional()
      .describe(
        'allows image swaps, before any step whose end is uncertain; only as a last resort if omitted',
      ),
    raiseBackoffLimit: z
      .boolean()
      .optional()
      .describe(
        'whether to raise the backoffLimit of a Job that would fail because it counts an image swap as a restart; default: false',
      ),
    keepLogs: z
      .int()
      .min(0)
      .max(defaults.mostKeptLines)
      .optional()
      .describe(
        "how many of the last lines of a sidecar's log the report keeps before its image is swapped; default: none",
      ),
    maxGrace: timer
      .optional()
      .describe(
        'how long a sweep waits for one pod at most, in all its steps together; the next sweep goes on; default: 6m',
      ),
    lastResort: z
      .array(stepSpec)
      .optional()
      .describe(
        'steps for pods whose sidecars outlive every gentler step, tried in this order; none if omitted',
      ),
    maxPods: cap.describe('how many pods a sweep acts on at most; the next sweep takes the others'),
    maxPodsPerNamespace: cap.describe('the same for the pods of each namespace'),
    maxPodsPerNode: cap.describe('the same for the pods on each node'),
    brakePods: z
      .int()
      .min(0)
      .optional()
      .describe(
        `nothing is sent if the sweep would act on more pods than this; default: ${defaults.brakePods}, or maxPods if that is more`,
      ),
    brakeShare: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe(
        `the same in percent of the pods listed, if the plan is for 20 pods or more; default: ${defaults.brakeShare}`,
      ),
    rules: z
      .array(rule)
      .optional()
      .describe('which containers are sidecars or mains; the first rule that matches decides'),
    profiles: z
      .array(profile)
      .optional()
      .describe('profiles to add to the catalogue; they replace those with the same name'),
    removeProfiles: z.array(z.string()).optional().describe('names of profiles to remove from the catalogue'),
  })
  .describe("An operator's policy for sweeps");

/** What problems call it. */
export const thePolicy: InputKind = { name: 'the policy', fields: Object.keys(policyFile.shape) };

export type PolicyFile = z.output<typeof policyFile>;

export type PolicyProblem = FileProblem;

export type ReadPolicy =
  | { readonly kind: 'Policy'; readonly policy: PolicyFile }
  | { readonly kind: 'Wrong'; readonly problems: readonly PolicyProblem[] };

/** The problem of any other file, whose YAML errors would not help. */
const notPolicy: PolicyProblem = {
  line: 1,
  message: `not a policy: one begins with "apiVersion: ${itsVersion}" and "kind: ${itsKind}"`,
};

/** A file with more is most likely not a policy. */
const mostProblems = 50;

/** In characters. No ConfigMap is larger. */
const longest = 1024 * 1024;

/** Reads a policy. Returns every problem at once, each with its line; of too many, only the first one. */
export function readPolicy(text: string): ReadPolicy {
  if (text.length > longest) return wrong([{ line: 1, message: 'longer than 1 MiB' }]);
  const yaml = readYaml(text);
  if (yaml.kind === 'Wrong') {
    const isPolicy = text.includes(itsVersion) || text.includes(itsKind);
    return wrong(isPolicy ? yaml.problems : [notPolicy]);
  }
  if (!isFields(yaml.value)) return wrong([notPolicy]);
  const parsed = check(policyFile, yaml.value, thePolicy);
  if (parsed.kind === 'Valid') {
    const unknown = unknownRemovals(parsed.data).map(({ path, message }) => ({
      line: yaml.lineOf(path),
      message,
    }));
    return unknown.length > 0 ? wrong(unknown) : { kind: 'Policy', policy: parsed.data };
  }
  const found = parsed.problems.map(({ path, message }, index) => ({
    // It takes as long as its map is wide.
    line: index <= mostProblems ? yaml.lineOf(path) : Infinity,
    message,
  }));
  return wrong(found);
}

/** A name that the catalogue does not have would leave a profile in place, and its steps would be taken. */
function unknownRemovals({ profiles = [], removeProfiles = [] }: PolicyFile): readonly InputProblem[] {
  const known = catalogue.map(({ name }) => name);
  return removeProfiles.flatMap((name, index) => {
    if (known.includes(name)) return [];
    const why = profiles.some((own) => own.name === name)
      ? `${name} is a profile of this policy: delete it there`
      : `there is no profile ${name}${didYouMean(name, known)}`;
    return { path: ['removeProfiles', index], message: `removeProfiles.${index}: ${why}` };
  });
}

function isFields(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(problems: readonly PolicyProblem[]): ReadPolicy {
  const sorted = [...problems].sort((a, b) => a.line - b.line);
  const [first] = sorted;
  if (!first || sorted.length <= mostProblems) return { kind: 'Wrong', problems: sorted };
  const message = `${shortened(first.message)}; and ${sorted.length - 1} more problems`;
  return { kind: 'Wrong', problems: [{ line: first.line, message }] };
}
