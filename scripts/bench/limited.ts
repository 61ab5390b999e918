import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { compete } from './contest.ts';
import type { Emulated } from './emulated.ts';
import { type Part, toPart } from './part.ts';
import type { Filling } from './pods.ts';
import { sweep } from './sweep-ways.ts';

const manifest = new URL('../../manifests/base/cron-job.yaml', import.meta.url);

/** Sweeps with the memory that the manifests give; running out of it is a result, too. */
export async function benchLimited({ server, fill }: Emulated, filling: Filling): Promise<Part> {
  const limits = await readLimits();
  const results = await compete({
    rounds: 1,
    contestants: [
      {
        name: 'sidecar-sweeper, limited as in the manifests',
        command: async () => ({
          ...sweep(await fill(filling), [], 'any'),
          env: { NODE_OPTIONS: limits.nodeOptions },
        }),
      },
    ],
    serverCpuMs: () => server.cpuMs(),
  });
  const { succeeded, stuck } = await server.outcome();
  const exitCode = results[0]?.costs[0]?.exitCode ?? Number.NaN;
  const facts = {
    pods: filling.pods,
    exitCode,
    ended: succeeded,
    stillStuck: stuck,
    limitMiB: limits.mebibytes,
  };
  return { ...toPart(results, {}), facts };
}

interface CronJob {
  readonly spec: { readonly jobTemplate: { readonly spec: { readonly template: PodTemplate } } };
}

interface PodTemplate {
  readonly spec: {
    readonly containers: readonly {
      readonly env: readonly { readonly name: string; readonly value?: string }[];
      readonly resources: { readonly limits: { readonly memory: string } };
    }[];
  };
}

async function readLimits(): Promise<{ readonly nodeOptions: string; readonly mebibytes: number }> {
  const cronJob = parse(await readFile(manifest, 'utf8')) as CronJob;
  const [container] = cronJob.spec.jobTemplate.spec.template.spec.containers;
  const nodeOptions = container?.env.find(({ name }) => name === 'NODE_OPTIONS')?.value;
  const mebibytes = /^(\d+)Mi$/.exec(container?.resources.limits.memory ?? '')?.[1];
  if (!nodeOptions || !mebibytes) throw new Error('the CronJob of the manifests sets no limits');
  return { nodeOptions, mebibytes: Number(mebibytes) };
}
