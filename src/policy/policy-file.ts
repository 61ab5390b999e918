import * as z from 'zod';
import { allowedCommands } from '../methods/allowlist.ts';
import { noopImage } from '../methods/image-swap.ts';
import { stepSpec } from '../methods/index.ts';
import { duration, timer } from '../methods/method.ts';
import { shortened } from '../model/bounds.ts';
import { exampleSelector, isLabelSelector, namespaceName } from '../model/scope.ts';
import { isRecord } from '../util/json.ts';
import { didYouMean } from '../util/text.ts';
import { hasReadableLogin } from '../util/usage-error.ts';
import { type FileProblem, readYaml } from '../util/yaml.ts';
import { catalogue } from './catalogue.ts';
import { defaultText, type Flag, type Given } from './flag.ts';
import { type Fields, fields } from './flags.ts';
import { profile } from './profile.ts';
import { rule } from './rules.ts';
import { check, type InputKind, type InputProblem } from './validation.ts';

const namespaces = z.array(
  z.string().regex(namespaceName, {
    error: ({ input }) =>
      `${input === '' ? '""' : input} is not a valid namespace name${String(input).includes('*') ? '; patterns are not supported here' : ''}`,
  }),
);
const httpUrl = z
  .string()
  .regex(/^https?:\/\/[^/]/, { error: 'use an http or https URL', abort: true })
  .refine((text) => URL.canParse(text), { error: 'use an http or https URL', abort: true })
  .refine((text) => hasReadableLogin(new URL(text)), 'percent-encode its password');
const labelSelector = z.string().refine(isLabelSelector, `write a label selector such as ${exampleSelector}`);

type Row = Fields[keyof Fields];
type FieldValue = Extract<Row, { readonly value: unknown }>['value'];
type FieldSchema<R> = R extends { readonly value: { readonly kind: 'Duration' | 'Timer' } }
  ? typeof duration
  : z.ZodType<NonNullable<Given<{ readonly row: R & Flag }>['row']>>;

const shared = Object.fromEntries(
  Object.entries(fields).map(([name, row]: readonly [string, Row]) => {
    const schema = 'value' in row ? schemaOf(row.value) : z.boolean();
    const byDefault = defaultText(row);
    const description = byDefault === undefined ? row.means : `${row.means}; default: ${byDefault}`;
    return [name, schema.optional().describe(description)];
  }),
) as { readonly [F in keyof Fields]: z.ZodOptional<FieldSchema<Fields[F]>> };

function schemaOf(value: FieldValue): z.ZodType {
  switch (value.kind) {
    case 'Namespaces':
      return namespaces;
    case 'Selector':
      return labelSelector;
    case 'Duration':
      return duration;
    case 'Timer':
      return timer;
    case 'Number':
      return z.int().min(value.least).max(value.most);
    case 'Percent':
      return z.number().min(0).max(100);
    case 'Choice':
      return z.enum(value.of);
    case 'Name':
      return z.string().regex(/\S/, 'write the name of the cluster');
    case 'File':
      return z.string().min(1);
    case 'Url':
      return httpUrl;
  }
}

const itsVersion = 'sidecar-sweeper.dev/v1';
const itsKind = 'SweepPolicy';

/** A policy file. All fields but apiVersion and kind are optional; command-line flags take precedence. */
export const policyFile = z
  .strictObject({
    apiVersion: z.literal(itsVersion),
    kind: z.literal(itsKind),
    ...shared,
    allowedCommands: allowedCommands
      .optional()
      .describe('commands to add to the allowlist; `<word>` stands for letters, digits and ._/-'),
    imageSwap: noopImage
      .optional()
      .describe(
        'allows image swaps before any step whose result is uncertain; if omitted, only `lastResort` can allow them',
      ),
    lastResort: z
      .array(stepSpec)
      .optional()
      .describe(
        'steps for pods whose sidecars outlive every gentler step, tried in this order; none if omitted',
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

export const thePolicy: InputKind = { name: 'the policy', fields: Object.keys(policyFile.shape) };

export type PolicyFile = z.output<typeof policyFile>;

export type ReadPolicy =
  | { readonly kind: 'Policy'; readonly policy: PolicyFile }
  | { readonly kind: 'Wrong'; readonly problems: readonly FileProblem[] };

/** The problem of a file that is not a policy: how to correct it as YAML would not help. */
const notPolicy: FileProblem = {
  line: 1,
  message: `not a policy: one begins with "apiVersion: ${itsVersion}" and "kind: ${itsKind}"`,
};

/** A file with more problems than this is most likely not a policy, and finding all their lines would take long. */
const mostProblems = 50;

/** The longest policy, in characters. No ConfigMap is larger. */
const longest = 1024 * 1024;

/** Reads a policy. Returns every problem at once, each with its line; of too many, only the first one. */
export function readPolicy(text: string): ReadPolicy {
  if (text.length > longest) return wrong([{ line: 1, message: 'longer than 1 MiB' }]);
  const yaml = readYaml(text);
  if (yaml.kind === 'Wrong') {
    const isPolicy = text.includes(itsVersion) || text.includes(itsKind);
    return wrong(isPolicy ? yaml.problems : [notPolicy]);
  }
  const { value, lineOf } = yaml;
  if (!isRecord(value)) return wrong([notPolicy]);
  const parsed = check(policyFile, value, thePolicy);
  const problems = parsed.kind === 'Valid' ? unknownRemovals(parsed.data) : parsed.problems;
  if (parsed.kind === 'Valid' && problems.length === 0) return { kind: 'Policy', policy: parsed.data };
  const found = problems.slice(0, mostProblems);
  return wrong(
    found.map(({ path, message }) => ({ line: lineOf(path), message })),
    problems.length,
  );
}

/** A misspelt name would leave a profile in the catalogue, and its steps would be used. */
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

function wrong(found: readonly FileProblem[], total = found.length): ReadPolicy {
  const problems = found.toSorted((a, b) => a.line - b.line);
  const [first] = problems;
  if (!first || total <= mostProblems) return { kind: 'Wrong', problems };
  const message = `${shortened(first.message)}; and ${total - 1} more problems`;
  return { kind: 'Wrong', problems: [{ line: first.line, message }] };
}
