import { createInterface } from 'node:readline';
import { isInPod } from '../../kube/auth/connection.ts';
import { paragraph, type Style } from '../../report/columns.ts';
import { many } from '../../report/format.ts';
import type { SweepReport } from '../../report/schema.ts';
import { countPlanned, plannedBlocks } from '../../report/sweep/planned.ts';
import { notesOn } from '../../report/sweep/view.ts';
import { sentence, viewText } from '../../report/view.ts';
import { onAbort } from '../../util/concurrency.ts';
import { printable } from '../../util/text.ts';
import type { Clock, Millis } from '../../util/time.ts';
import { UsageError } from '../../util/usage-error.ts';
import type { GivenFlags } from '../flags.ts';
import { type Io, print } from '../io.ts';

/** While it waits for an answer, the sweep holds the Lease, which must not block later sweeps forever. */
const timeToAnswer: Millis = 10 * 60_000;

/** Long enough for the event loop to read what the terminal holds. */
const timeToDiscard: Millis = 100;

/** In raw mode it arrives as a byte instead of a signal. */
const ctrlC = '\x03';

/** Throws UsageError if it must ask, but has no terminal. */
export function mustAsk(
  { yes = false, dryRun = false }: Pick<GivenFlags, 'yes' | 'dryRun'>,
  { env, stdin, stdout, stderr }: Pick<Io, 'env' | 'stdin' | 'stdout' | 'stderr'>,
): boolean {
  if (yes || dryRun || isInPod(env)) return false;
  if (stdin.isTTY && stdout.isTTY && stderr.isTTY) return true;
  throw new UsageError(
    'cannot ask without a terminal: add --yes to sweep, or --dry-run to see what a sweep would do',
  );
}

export type Ask = (planned: SweepReport, abort: AbortSignal) => Promise<boolean>;

export function createPrompt(
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
  style: () => Style,
  clock: Clock,
): Ask {
  return async (planned, abort) => {
    const { pods, sidecars } = countPlanned(planned);
    // Nothing would be sent, and the report still says why.
    if (pods === 0) return true;
    if (abort.aborted) return false;
    const { context, server } = planned.cluster;
    const what = `${many(sidecars, 'sidecar')} of ${many(pods, 'pod')}`;
    const question = printable(`End ${what} in the cluster ${server} (context ${context})?`, 4096);
    const look = style();
    const plan = [plannedBlocks(planned, look), [...notesOn(planned, look), sentence(recheck)]];
    await print(stderr, `${viewText({ sections: plan }, look)}\n`);
    const typed = await discardTyped(stdin, clock, abort);
    if (abort.aborted || !stdin.readable || typed.includes(ctrlC)) return false;
    await print(stderr, `${paragraph(question, style(), 'bold')} [y/N] `);
    const answer = await readAnswer(stdin, clock, abort);
    if (answer.kind === 'Answered') return /^y(?:es)?$/i.test(answer.text.trim());
    const why = answer.kind === 'TooLate' ? `no answer within ${timeToAnswer / 60_000} minutes` : '';
    await print(stderr, `${why}\n`);
    return false;
  };
}

const recheck =
  'Each pod is read again before anything is sent to it, and left alone if it is no longer stuck.';

type Answer = { readonly kind: 'Answered'; readonly text: string } | { readonly kind: 'Closed' | 'TooLate' };

/** What was typed before the question cannot be an answer to it. Only raw mode also hands over an unfinished line (termios(3)). */
async function discardTyped(stdin: Io['stdin'], clock: Clock, abort: AbortSignal): Promise<string> {
  let typed = '';
  const discard = (data: unknown) => {
    typed += data;
  };
  const ignore = () => undefined;
  stdin.on('error', ignore).on('data', discard);
  stdin.setRawMode?.(true);
  await clock.sleep(timeToDiscard, abort);
  stdin.setRawMode?.(false);
  stdin.off('data', discard).off('error', ignore).pause();
  return typed;
}

/** The terminal has its line mode, in which Ctrl-C is a signal and Ctrl-D ends the input. */
function readAnswer(stdin: Io['stdin'], clock: Clock, abort: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const lines = createInterface({ input: stdin, terminal: false });
    const end = (answer: Answer) => {
      resolve(answer);
      over.abort();
      lines.close();
    };
    lines.once('line', (text) => end({ kind: 'Answered', text }));
    lines.once('close', () => end({ kind: 'Closed' }));
    onAbort(abort, () => lines.close());
    void clock.sleep(timeToAnswer, over.signal).then(() => end({ kind: 'TooLate' }));
  });
}
