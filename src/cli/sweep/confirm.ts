import { createInterface } from 'node:readline';
import { isInPod } from '../../kube/kubeconfig/in-cluster.ts';
import { paragraph, type Style } from '../../report/columns.ts';
import { count } from '../../report/counts.ts';
import type { SweepReport } from '../../report/schema.ts';
import { notes } from '../../report/sweep/notes.ts';
import { countPlanned, renderPlanned } from '../../report/sweep/planned.ts';
import { onAbort } from '../../util/concurrency.ts';
import { printable } from '../../util/text.ts';
import type { Clock, Millis } from '../../util/time.ts';
import { UsageError } from '../../util/usage-error.ts';
import type { SweepFlags } from '../flags/sweep.ts';
import { print } from '../output.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * The Lease of the cluster is held, and renewed, while somebody thinks: what was shown is what is done. The
 * next sweeps must not be kept out for ever by a question that nobody is there to answer.
 */
const timeToThink: Millis = 10 * 60_000;

/** Whether to ask before anything is sent. Throws UsageError if that would be right, and there is nobody to ask. */
export function isToAsk(
  { yes = false, dryRun = false }: Pick<SweepFlags, 'yes' | 'dryRun'>,
  { env, stdin, stdout, stderr }: Pick<Surroundings, 'env' | 'stdin' | 'stdout' | 'stderr'>,
): boolean {
  if (yes || dryRun || isInPod(env)) return false;
  if (stdin.isTTY && stdout.isTTY && stderr.isTTY) return true;
  throw new UsageError(
    'this is not a terminal, so nobody can be asked: add --yes to sweep, or --dry-run to see what a sweep would do',
  );
}

/** Asks about what is planned, and resolves to the answer; aborted when the sweep is stopped. */
export type Ask = (planned: SweepReport, abort: AbortSignal) => Promise<boolean>;

/** Shows on stderr what is planned, and reads the answer from the terminal. Whatever is not yes is no. */
export function askOn(
  { stdin, stderr }: Pick<Surroundings, 'stdin' | 'stderr'>,
  style: () => Style,
  clock: Clock,
): Ask {
  return async (planned, abort) => {
    const acts = countPlanned(planned);
    // The sweep has nothing to send, but still tells why.
    if (acts.pods === 0) return true;
    if (abort.aborted) return false;
    const { context, server } = planned.cluster;
    const what = `${count(acts.sidecars, 'sidecar')} of ${count(acts.pods, 'pod')}`;
    const question = printable(`End ${what} in the cluster ${server} (context ${context})?`, 4096);
    await print(stderr, describe(planned, style()));
    await print(stderr, `${paragraph(question, style(), 'bold')} [y/N] `);
    const answer = await readAnswer(stdin, clock, abort);
    if (answer.kind === 'Said') return /^y(?:es)?$/i.test(answer.text.trim());
    const why = answer.kind === 'TooLate' ? `no answer within ${timeToThink / 60_000} minutes` : '';
    await print(stderr, `${why}\n`);
    return false;
  };
}

function describe(planned: SweepReport, style: Style): string {
  const recheck = 'Each pod is read again before anything is sent to it, and left alone if it has changed.';
  return `${[...renderPlanned(planned, style), ...notes(planned, style), paragraph(recheck, style)].join('\n')}\n\n`;
}

type Answer = { readonly kind: 'Said'; readonly text: string } | { readonly kind: 'Gone' | 'TooLate' };

/** A line from the terminal, which is left in its own mode: Ctrl-C is a signal, and Ctrl-D the end of the input. */
function readAnswer(stdin: Surroundings['stdin'], clock: Clock, abort: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const lines = createInterface({ input: stdin, terminal: false });
    const answer = (given: Answer) => {
      resolve(given);
      over.abort();
      lines.close();
    };
    lines.once('line', (text) => answer({ kind: 'Said', text }));
    lines.once('close', () => answer({ kind: 'Gone' }));
    onAbort(abort, () => lines.close());
    void clock.sleep(timeToThink, over.signal).then(() => answer({ kind: 'TooLate' }));
  });
}
