import { explainPod, selectPods } from '../../explain.ts';
import { wrap } from '../../report/columns.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { explanationView } from '../../report/explain/view.ts';
import { apiVersion } from '../../report/names.ts';
import { reasonPages } from '../../report/texts/reasons.ts';
import { createSlots } from '../../util/concurrency.ts';
import { didYouMean } from '../../util/text.ts';
import { UsageError } from '../../util/usage-error.ts';
import { readPods, withNamespaces } from '../arguments.ts';
import { notesLease, ownPod, withCluster } from '../cluster.ts';
import type { FlagsOf } from '../flags.ts';
import { complain, type Io, write } from '../io.ts';
import { printOut, styleFor } from '../output.ts';
import { inContext, loadPolicy } from '../policy.ts';

/** Explaining one pod takes several requests. */
const podsAtOnce = 5;

export async function runExplain(words: readonly string[], flags: FlagsOf<'explain'>, io: Io) {
  const { verbose = false } = flags;
  if (flags.reason !== undefined) return explainReason(flags.reason, words, flags, io);
  const names = readPods(words, flags);
  if (names.length > 0 === (flags.labelSelector !== undefined)) {
    throw new UsageError('name the pods to explain, or select them by their labels with -l, but not both');
  }
  // A pod whose sidecar never started is explained without --include-pending too.
  const policy = loadPolicy({ ...flags, includePending: true }, io.env);
  return withCluster(flags, io, async (cluster, { signal }) => {
    const selected =
      names.length > 0
        ? { pods: withNamespaces(names, cluster), unread: [] }
        : await selectPods(inContext(policy, flags, cluster), cluster, signal);
    const slots = createSlots(podsAtOnce);
    const notes = notesLease(flags, io.env);
    const options = {
      policy,
      cluster,
      self: ownPod(io.env),
      notebook: notes && cluster.notebook(notes),
      stop: signal,
    };
    const all = await Promise.all(selected.pods.map((pod) => slots(() => explainPod({ ...options, pod }))));
    const explained = all.flatMap((one) => (one.kind === 'Explained' ? one.explanation : []));
    const missed = all.flatMap((one) => (one.kind === 'Unread' ? one.why : one.unread));
    const [first] = explained;
    const only = names.length === 1 ? first : undefined;
    const printout = {
      document: only ?? { apiVersion, kind: 'PodExplanationList', items: explained },
      view: () => ({ sections: explained.flatMap((one) => explanationView(one, { verbose }).sections) }),
      records: () => explained,
    };
    if (first || names.length !== 1) await printOut(printout, flags, io);
    const unread = new Set([...selected.unread, ...missed]);
    if (!first && unread.size === 0) {
      const elsewhere = flags.allNamespaces ? '' : '; -A looks in all namespaces';
      await complain(io, `no pod with these labels could be stuck${elsewhere}`);
    }
    for (const why of unread) await complain(io, why);
    if (unread.size === 0) return exitCodes.resolved;
    return signal.aborted ? exitCodes.stopped : exitCodes.unread;
  });
}

async function explainReason(name: string, words: readonly string[], flags: FlagsOf<'explain'>, io: Io) {
  if (words.length > 0) throw new UsageError('--reason cannot be combined with names of pods');
  const known = [...reasonPages.keys()];
  const reason = known.find((each) => each.toLowerCase() === name.toLowerCase());
  const page = reasonPages.get(reason ?? '');
  if (!page) {
    throw new UsageError(
      `there is no reason ${name}${didYouMean(name, known)}; reports use names such as MainRunning or Blocked`,
    );
  }
  const { width } = styleFor(io.stdout, flags, io.env);
  const cure = page.cure === undefined ? [] : [`What to do: ${page.cure}`];
  const paragraphs = [`${reason}: ${page.title}`, page.text, ...cure];
  await write(io.stdout, `${paragraphs.map((each) => wrap(each, width, 0).join('\n')).join('\n\n')}\n`);
  return exitCodes.resolved;
}
