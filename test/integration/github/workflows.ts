import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { read, root } from './project-files.ts';

const step = z.object({
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** What every workflow of this project says; that the rest is a workflow as well is for actionlint to say. */
const workflow = z.object({
  permissions: z.strictObject({ contents: z.literal('read') }),
  jobs: z.record(
    z.string(),
    z.object({
      'timeout-minutes': z.number(),
      permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
      strategy: z
        .object({
          matrix: z.object({
            node: z.array(z.number()).optional(),
            include: z.array(z.record(z.string(), z.string())).optional(),
          }),
        })
        .optional(),
      env: z.record(z.string(), z.string()).optional(),
      steps: z.array(step),
    }),
  ),
});

/** Their names, as GitHub finds them. */
export const workflowFiles: readonly string[] = readdirSync(join(root, '.github/workflows'));

/** One of them; throws where it does not say what it has to. */
export function readWorkflow(file: string): z.infer<typeof workflow> {
  return workflow.parse(parse(read(`.github/workflows/${file}`)));
}

/** Every job of every workflow. */
export const jobs = workflowFiles.flatMap((file) => Object.values(readWorkflow(file).jobs));

/** Every step of every workflow, with the environment of its job. */
export const steps = jobs.flatMap(({ env, steps }) =>
  steps.map((step) => ({ ...step, env: { ...env, ...step.env } })),
);
