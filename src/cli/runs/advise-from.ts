import { adviseFrom, unasked } from '../../advise-from.ts';
import { defaults } from '../../defaults.ts';
import { type Difference, differenceFrom } from '../../gather/identity.ts';
import type { OpenCluster } from '../../kube/cluster.ts';
import type { Origins } from '../../origins.ts';
import type { Advice } from '../../report/advise/advice.ts';
import { renderAdvice } from '../../report/advise/text.ts';
import { Clusters, type KnownCluster } from '../../report/clusters.ts';
import { exitCodes } from '../../report/exit-code.ts';
import type { SweepReport } from '../../report/schema.ts';
import { listOf, renderEach } from '../../report/several.ts';
import { UsageError } from '../../usage-error.ts';
import { complain, say } from '../output.ts';
import { loadPolicy } from '../policy.ts';
import type { Surroundings } from '../surroundings.ts';
import { withCluster } from '../with-cluster.ts';
import { reportsOfFiles } from './files.ts';
import type { LookFlags } from './look.ts';

type Reports = readonly [SweepReport, ...SweepReport[]];

/** The advice on the pods of reports, for each cluster that they are of. */
export async function runAdviseFrom(
  files: readonly string[],
  flags: LookFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { context, ...rest } = flags;
  const { catalogue } = loadPolicy(flags);
  const clusters = byCluster(await readFrom(files, surroundings));
  const adviseAll = (stop: AbortSignal, originsOf: (cluster: KnownCluster) => Promise<Origins>) =>
    Promise.all(
      clusters.map(async ({ known, reports }) =>
        adviseFrom({
          reports,
          cluster: await originsOf(known),
          policy: { catalogue },
          concurrency: defaults.concurrency,
          stop,
        }),
      ),
    );
  const problems: string[] = [];
  const found = await orWithout(
    context,
    (connection) =>
      withCluster({ ...rest, ...connection }, surroundings, (open, { signal }) =>
        adviseAll(signal, async (known) => {
          const difference = await differenceFrom(known, open, signal);
          // Who names a context knows that its cluster has several addresses.
          if (!difference || (difference.by === 'server' && context !== undefined)) return open;
          problems.push(describeOther(difference, open));
          return unasked;
        }),
      ),
    (problem) => {
      problems.push(problem);
      return adviseAll(new AbortController().signal, async () => unasked);
    },
  );
  await sayAll(found, flags, surroundings);
  for (const problem of problems) await complain(surroundings, `no cluster was asked: ${problem}`);
  return exitCodes.resolved;
}

/** Without a kubeconfig, the advice is text. A context that is named must be there. */
async function orWithout<T>(
  context: string | undefined,
  use: (connection: { readonly context?: string }) => Promise<T>,
  without: (problem: string) => Promise<T>,
): Promise<T> {
  if (context !== undefined) return use({ context });
  try {
    return await use({});
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return without(error.message);
  }
}

/** A cluster may have another address from here than from where its reports were written: then its context must be named. */
function describeOther({ by, reported, found }: Difference, { context }: OpenCluster): string {
  return by === 'uid'
    ? `the reports are from the cluster with uid ${reported}, but the context ${context} points to the cluster with uid ${found}`
    : `the reports are from ${reported}, but the context ${context} points to ${found}; if both are the same cluster, use --context ${context}`;
}

async function readFrom(
  files: readonly string[],
  surroundings: Surroundings,
): Promise<readonly SweepReport[]> {
  return (await reportsOfFiles(files, surroundings)).reports;
}

function byCluster(all: readonly SweepReport[]): readonly { known: KnownCluster; reports: Reports }[] {
  const clusters = new Clusters(all.map(({ cluster }) => cluster));
  const byId = new Map<string, { readonly known: KnownCluster; readonly reports: Reports }>();
  for (const report of all) {
    const known = clusters.of(report.cluster);
    byId.set(known.id, { known, reports: [...(byId.get(known.id)?.reports ?? []), report] as const });
  }
  return [...byId.values()];
}

async function sayAll(found: readonly Advice[], flags: LookFlags, surroundings: Surroundings): Promise<void> {
  const [first, ...others] = found;
  const document = first && others.length === 0 ? first : listOf('AdviceList', found);
  const table: Parameters<typeof say>[0]['table'] = (style) =>
    first && others.length === 0 ? renderAdvice(first, style) : renderEach(found, renderAdvice, style);
  await say({ document, table }, flags, surroundings);
}
