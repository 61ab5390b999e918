import * as z from 'zod';
import { ownValue } from '../model/annotations.ts';
import { bounds } from '../model/bounds.ts';
import type { AttemptResult } from '../model/outcome.ts';
import type { ContainerView } from '../model/pod.ts';
import { word } from './allowlist.ts';
import { failedExit, toAttempt } from './attempt.ts';
import { defineMethod, type StepCommon, type Unfitness, writtenStep } from './method.ts';
import { execRule } from './permissions.ts';

export interface TombstoneStep extends StepCommon {
  readonly method: 'Tombstone';
  readonly path: string;
  readonly content: string;
}

const shell = '/bin/sh';

/** Writes a file that the container watches for: kubexit's graveyard, gcsfuse's `exit` file. */
export const tombstone = defineMethod({
  name: 'Tombstone',
  ends: 'Container',
  rbac: [execRule],
  written: writtenStep('Tombstone', {
    tombstone: z
      .strictObject({
        path: word
          .regex(/^(?:\/|\$\()/, 'write an absolute path')
          .describe(
            '$(NAME) stands for a variable of the container; one that lists names separated by commas makes one file for each',
          ),
        content: word.default('').describe('what the file contains; nothing, if left out'),
      })
      .describe('a file that is written in the container'),
  }),
  whyUnfit: (spec, { container }) => expand(spec.tombstone.path, container).unfit,
  // Permission to write an annotation does not imply permission to write the pod's files.
  isAdmitted: ({ tombstone: { path, content } }, { known }) =>
    known.some(({ tombstone: each }) => each.path === path && each.content === content),
  toSteps: (spec, common, { container }): readonly TombstoneStep[] => {
    const { path, content } = spec.tombstone;
    return expand(path, container).paths.map((each) => ({
      ...common,
      method: 'Tombstone',
      path: each,
      content,
    }));
  },
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
  // The file was not written. A shell that was killed may have written it before: then its container has ended.
  return result.kind === 'Failed' ? { kind: 'Unsupported', message: result.message } : result;
}

interface Expanded {
  readonly paths: readonly string[];
  readonly unfit?: Unfitness;
}

/** Replaces variables, `$(NAME)`; one that lists names separated by commas makes a path for each. Paths over the bounds are not built. */
function expand(path: string, { env }: Pick<ContainerView, 'env'>): Expanded {
  const tooMuch = (what: string): Expanded => ({
    paths: [],
    unfit: { reason: 'OverBound', detail: `${what}: ${path}` },
  });
  const [first = '', ...rest] = path.split(/\$\(([A-Za-z_][A-Za-z0-9_]*)\)/);
  let paths: readonly string[] = [first];
  // Names and the text between them alternate.
  for (let index = 0; index < rest.length; index += 2) {
    const value = ownValue(env, rest[index] ?? '');
    if (value === undefined) {
      return { paths: [], unfit: { reason: 'NoPath', detail: `${path} names a variable that is not set` } };
    }
    const values = value.split(',', bounds.files + 1).map((each) => each.trim() + rest[index + 1]);
    if (paths.length * values.length > bounds.files) return tooMuch(`more than ${bounds.files} files`);
    paths = paths.flatMap((begun) => values.map((each) => begun + each));
    if (paths.some(({ length }) => length > bounds.path)) {
      return tooMuch(`a path of more than ${bounds.path} characters`);
    }
  }
  return { paths };
}
