import { explainPod, selectPods } from '../../explain.ts';
import type { PodName } from '../../model/pod.ts';
import { wrap } from '../../report/columns.ts';
import { exitCodes } from '../../report/exit-code.ts';
import type { PodExplanation } from '../../report/explain/explanation.ts';
import { explanationView } from '../../report/explain/view.ts';
import { listOf } from '../../report/names.ts';
import { reasonPages } from '../../report/texts/reasons.ts';
import { createSlots } from '../../util/concurrency.ts';
import { didYouMean } from '../../util/text.ts';
import { UsageError } from '../../util/usage-error.ts';
import { ownPod, withCluster } from '../cluster.ts';
import { defaults, type FlagsOf } from '../flags.ts';
import { complain, type Io, write } from '../io.ts';
import { type Printout, printOut, styleFor } from '../output.ts';
import { inContext, loadPolicy, withNamespaces } from '../policy.ts';
import { notesLease } from '../sweep/lock.ts';

/** Each makes several requests of its own. */
const podsAtOnce = 5;

/**
 * `sidecar-sweeper explain <namespace>/<pod>`: why pods are swept or left alone. Without names, it explains the pods that the flags
 * select.
 */
export async function runExplain(
  names: readonly PodName[],
  flags: FlagsOf<'explain'>,
  io: Io,
): Promise<number> {
  const { explained, unread, isStopped } = await explainAll(names, flags, io);
  const isOne = names.length === 1;
  if (explained.length > 0 || !isOne) await printOut(printoutOf(explained, isOne, flags), flags, io);
  if (explained.length + unread.length === 0) {
    const elsewhere = flags.allNamespaces ? '' : '; -A looks in all namespaces';
    await complain(io, `no pod with these labels could be stuck${elsewhere}`);
  }
  for (const why of unread) await complain(io, why);
  if (unread.length === 0) return exitCodes.resolved;
  return isStopped ? exitCodes.stopped : exitCodes.unread;
}

/** `sidecar-sweeper explain --reason MainRunning`: what a reason means, and what to do about it. Throws UsageError. */
export async function runExplainReason(name: string, flags: FlagsOf<'explain'>, io: Io): Promise<number> {
  const known = [...reasonPages.keys()];
  const isMeant = (each: string) => each.toLowerCase() === name.toLowerCase();
  const reason = known.find(isMeant);
  const page = reasonPages.get(reason ?? '');
  if (!page) {
    throw new UsageError(
      `there is no reason ${name}${didYouMean(name, known)}; reports have names such as MainRunning or Blocked`,
    );
  }
  const { width } = styleFor(io.stdout, flags, io.env);
  const paragraphs = [
    `${reason}: ${page.title}`,
    page.text,
    ...(page.cure === undefined ? [] : [`What to do: ${page.cure}`]),
  ];
  await write(io.stdout, `${paragraphs.map((each) => wrap(each, width, 0).join('\n')).join('\n\n')}\n`);
  return exitCodes.resolved;
}

function explainAll(names: readonly PodName[], flags: FlagsOf<'explain'>, io: Io) {
  // A pod whose sidecar never started is explained without --include-pending too.
  const policy = loadPolicy({ ...flags, includePending: true }, io.env);
  return withCluster(flags, io, async (cluster, { signal }) => {
    const { context, server, warnings } = cluster;
    const { pods, unread } =
      names.length > 0
        ? { pods: withNamespaces(names, cluster), unread: [] }
        : await selectPods(inContext(policy, flags, cluster), cluster, signal);
    const slots = createSlots(podsAtOnce);
    const notes = notesLease(flags, io.env);
    const options = {
      policy,
      cluster,
      warnings,
      where: { context, server },
      self: ownPod(io.env),
      // What earlier sweeps noted, where a sweep looks for it as well.
      notebook: notes && cluster.notebook(notes),
      concurrency: defaults.concurrency,
      stop: signal,
    };
    const all = await Promise.all(pods.map((pod) => slots(() => explainPod({ ...options, pod }))));
    return {
      explained: all.flatMap((one) => (one.kind === 'Explained' ? one.explanation : [])),
      unread: [...unread, ...new Set(all.flatMap((one) => (one.kind === 'Unread' ? one.why : [])))],
      isStopped: signal.aborted,
    };
  });
}

function printoutOf(
  explained: readonly PodExplanation[],
  isOne: boolean,
  { verbose = false }: FlagsOf<'explain'>,
): Printout {
  const [first] = explained;
  return {
    document: isOne && first ? first : listOf('PodExplanationList', explained),
    view: () => ({
      sections: explained.flatMap((one) => explanationView(one, { verbose }).sections),
    }),
    records: () => explained,
  };
}
