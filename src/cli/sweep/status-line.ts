import { count } from '../../report/counts.ts';
import { widthOf } from '../../report/wrap.ts';
import { printable } from '../../util/text.ts';
import { formatDuration, type Millis } from '../../util/time.ts';

/** How far all sweeps together have come. */
export interface Standing {
  readonly isListing: boolean;
  readonly listed: number;
  readonly stuck: number;
  /** How many sidecars the plans are for, and how many of them are done with. */
  readonly targets: number;
  readonly done: number;
  /** For whose end the sweeps wait, and until when at most. */
  readonly waits: Iterable<{ readonly name: string; readonly until: Millis }>;
  readonly isStopping: boolean;
}

/** One line that fits: what is worth least goes first. */
export function statusLine(standing: Standing, now: Millis, room: number): string {
  const all = standing.isListing ? listing(standing) : ending(standing, now);
  const fitting = all.find((parts) => widthOf(parts.join('  ')) <= room);
  return (fitting ?? []).join('  ');
}

function listing({ listed, stuck, isStopping }: Standing): readonly (readonly string[])[] {
  // Pods are judged after they are listed: that none is stuck so far says nothing.
  const soFar = `${count(listed, 'pod')} listed${stuck > 0 ? `, ${stuck} stuck` : ''}`;
  const found = listed === 0 ? 'reading the cluster' : soFar;
  return [...(isStopping ? [[found, 'stopping']] : []), [found], [`${listed}`]];
}

/** From the most to the least that can be told. */
function ending({ targets, done, waits, isStopping }: Standing, now: Millis): readonly (readonly string[])[] {
  const [last, ...others] = [...waits].sort((a, b) => b.until - a.until);
  const sum = `${done} of ${count(targets, 'sidecar')}`;
  if (isStopping)
    return [[bar(done, targets, 20), sum, 'stopping'], [sum, 'stopping'], [sum], [`${done}/${targets}`]];
  const left =
    last && last.until > now ? `${formatDuration(Math.ceil((last.until - now) / 1000) * 1000)} left` : '';
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const awaited = last ? [`waiting for ${printable(last.name)}${more}${left && `, at most ${left}`}`] : [];
  const alone = last ? [`waiting for ${printable(last.name)}${left && `, at most ${left}`}`] : [];
  const brief = left === '' ? [] : [`at most ${left}`];
  return [
    [bar(done, targets, 20), sum, ...awaited],
    [bar(done, targets, 10), sum, ...awaited],
    [bar(done, targets, 10), sum, ...alone],
    [bar(done, targets, 10), sum, ...brief],
    [sum, ...brief],
    [sum],
    [`${done}/${targets}`],
  ];
}

function bar(done: number, of: number, width: number): string {
  const filled = of === 0 ? width : Math.floor((done / of) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}
