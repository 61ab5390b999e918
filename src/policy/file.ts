import { LineCounter, parseDocument, visit } from 'yaml';
import * as z from 'zod';
import { defaults } from '../defaults.ts';
import { noopImage } from '../methods/image-swap.ts';
import { stepSpec } from '../methods/index.ts';
import { duration } from '../methods/method.ts';
import { describeIssue } from './problems.ts';
import { profile } from './profile.ts';
import { rule } from './rules.ts';

/** A policy file. All fields but apiVersion and kind are optional; command-line flags take precedence. */
export const policyFile = z
  .strictObject({
    apiVersion: z.literal('sidecar-sweeper.dev/v1'),
    kind: z.literal('SweepPolicy'),
    namespaces: z.array(z.string().min(1)).optional().describe('only these namespaces; all if omitted'),
    labelSelector: z.string().optional().describe('only pods with these labels, as in kubectl'),
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
      .enum(['canary', 'allow', 'forbid'])
      .optional()
      .describe(
        'what to do if a sidecar may exit with a non-zero code and a Job would run finished work again; default: canary',
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
    maxGrace: duration
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
    maxPods: z
      .int()
      .min(0)
      .optional()
      .describe(`nothing is sent if the plan is for more pods than this; default: ${defaults.maxPods}`),
    maxShare: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe(
        `the same in percent of the pods listed, if the plan is for 20 pods or more; default: ${defaults.maxShare}`,
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

export type PolicyFile = z.output<typeof policyFile>;

export interface PolicyProblem {
  readonly line: number;
  readonly message: string;
}

export type ReadPolicy =
  | { readonly kind: 'Policy'; readonly policy: PolicyFile }
  | { readonly kind: 'Wrong'; readonly problems: readonly PolicyProblem[] };

const maxBytes = 1024 * 1024;

/** Reads a policy. Returns every problem at once, each with its line. */
export function readPolicy(text: string): ReadPolicy {
  if (text.length > maxBytes) return wrong([{ line: 1, message: 'longer than 1 MiB' }]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  if (document.errors.length > 0) {
    return wrong(document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message })));
  }
  const dangling: PolicyProblem[] = [];
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document)) return;
      dangling.push({
        line: lineAt(alias.range?.[0] ?? 0),
        message: `there is no anchor for the alias *${alias.source}`,
      });
    },
  });
  if (dangling.length > 0) return wrong(dangling);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return wrong([{ line: 1, message: error instanceof Error ? error.message : String(error) }]);
  }
  const parsed = policyFile.safeParse(value);
  if (parsed.success) return { kind: 'Policy', policy: parsed.data };
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length >= 0; length--) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      const range = isRanged(node) ? node.range : undefined;
      if (range) return lineAt(range[0]);
    }
    return 1;
  };
  return wrong(
    parsed.error.issues.flatMap((issue) =>
      describeIssue(issue, 'the policy').map((one) => ({ line: lineOf(one.path), message: one.message })),
    ),
  );
}

function isRanged(
  node: unknown,
): node is { readonly range: readonly [number, number, number] | null | undefined } {
  return typeof node === 'object' && node !== null && 'range' in node;
}

function wrong(problems: readonly PolicyProblem[]): ReadPolicy {
  return { kind: 'Wrong', problems: [...problems].sort((a, b) => a.line - b.line) };
}
