import * as z from 'zod';
import type { AttemptResult, ContainerView } from '../vocabulary.ts';
import { failedExit, toAttempt } from './exec-attempt.ts';
import { defineMethod, type StepCommon, specCommon } from './method.ts';
import { execRule } from './rbac.ts';

export interface TombstoneStep extends StepCommon {
  readonly method: 'Tombstone';
  readonly path: string;
  readonly content: string;
}

const shell = '/bin/sh';

/** Writes a file that the container watches for: kubexit's graveyard, gcsfuse's `exit` file. */
export const tombstone = defineMethod({
  name: 'Tombstone',
  flag: 'tombstone',
  ends: 'Container',
  rbac: [execRule],
  price: '',
  written: z
    .strictObject({
      tombstone: z
        .strictObject({
          path: z
            .string()
            .regex(/^(?:\/|\$\()/, 'write an absolute path')
            .describe(
              '$(NAME) stands for a variable of the container; one that lists names separated by commas makes one file for each',
            ),
          content: z.string().default(''),
        })
        .describe('a file that is written in the container'),
      ...specCommon,
    })
    .transform((spec) => ({ method: 'Tombstone' as const, ...spec })),
  whyUnfit: (spec, { container }) =>
    expand(spec.tombstone.path, container).length === 0
      ? { reason: 'NoPath', detail: `${spec.tombstone.path} names a variable that is not set` }
      : undefined,
  // Whoever may write an annotation may not always write the pod's files.
  isAdmitted: (spec, { known }) => known.some((each) => each.tombstone.path === spec.tombstone.path),
  toSteps: (spec, common, { container }): readonly TombstoneStep[] =>
    expand(spec.tombstone.path, container).map((path) => ({
      ...common,
      method: 'Tombstone',
      path,
      content: spec.tombstone.content,
    })),
  describeSpec: (spec) => `write ${spec.tombstone.path}`,
  describe: (step) => `write ${step.path}`,
  async send({ path, content }, { cluster, pod, containers: [container], abort }) {
    // Path and content are arguments of the script, never part of it.
    const argv = [shell, '-c', 'printf %s "$2" > "$1"', 'sidecar-sweeper', path, content];
    return toAttempt(await cluster.exec(pod, container, argv, abort), shell, concludeExit);
  },
});

function concludeExit(exitCode: number, output: string): AttemptResult {
  if (exitCode === 0) return { kind: 'Accepted' };
  const result = failedExit(exitCode, output, shell);
  // The file is not there. A shell that was killed may have written it first: then its container has ended.
  return result.kind === 'Failed' ? { kind: 'Unsupported', message: result.message } : result;
}

/**
 * Replaces variables in a path, written as Kubernetes writes them: `$(NAME)`. A variable that lists names separated by
 * commas makes one path for each; one that is not set leaves none.
 */
function expand(path: string, { env }: Pick<ContainerView, 'env'>): readonly string[] {
  const [before = '', name] = path.split(/\$\(([A-Za-z_][A-Za-z0-9_]*)\)/);
  if (name === undefined) return [before];
  if (!Object.hasOwn(env, name)) return [];
  const values = (env[name] ?? '').split(',').map((value) => value.trim());
  const ends = expand(path.slice(before.length + name.length + 3), { env });
  return values.flatMap((value) => ends.map((end) => before + value + end));
}
