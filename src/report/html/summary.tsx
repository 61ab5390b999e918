import { elapsed, many, minuteOf, number, reserved } from '../format.ts';
import type { History } from '../history/schema.ts';
import { caveatsOf, harmOf, type TitledTable, unknownWasteOf } from '../history/view.ts';
import { describeHarm } from '../texts/outcomes.ts';
import { Folded } from './table.tsx';

const mostNames = 4;
const mostHarm = 5;

interface Summarized {
  readonly history: History;
  readonly harm: TitledTable | undefined;
}

export function Summary({ history, harm }: Summarized) {
  const { totals, clusters, period, read } = history;
  const names =
    clusters.length > mostNames
      ? many(clusters.length, 'cluster')
      : clusters.map(({ name }) => name).join(', ');
  const minutes = period && [...new Set([period.from, period.to].map(minuteOf))].join(' to ');
  const caveats = [...unknownWasteOf(totals), ...caveatsOf(history)];
  return (
    <header>
      <p class="eyebrow">
        Sidecar sweeper{names === '' ? '' : ` · ${names}`} · {many(read.sweeps, 'sweep')}
      </p>
      <h1>{headline(history)}</h1>
      {minutes && <p class="soft">{minutes} UTC</p>}
      {history.harm.length > 0 && <Alarm history={history} harm={harm} />}
      <dl class="figures">
        {figuresOf(history).map(([title, value, unit, means]) => (
          <div>
            <dt>{title}</dt>
            <dd>
              <b>{number(value)}</b> {unit !== '' && <span>{unit}</span>}
              <small>{means}</small>
            </dd>
          </div>
        ))}
      </dl>
      {caveats.length > 0 && <p class="soft">{caveats.join(' ')}</p>}
    </header>
  );
}

type Figure = readonly [title: string, value: number, unit: string, means: string];

function figuresOf({ totals }: History): readonly Figure[] {
  const { pods, ended, gone, stuck, freed, wasted, wastedByStuck, reclaimed, reserved: held } = totals;
  const freedGib = number(freed.memory / 2 ** 30);
  return [
    [
      'Freed',
      freed.cpu,
      freed.cpu === 1 ? 'core' : 'cores',
      `and ${freedGib} GiB: ${number(ended)} of ${many(pods, 'stuck pod')} ended by sweeps`,
    ],
    [
      'Stuck now',
      stuck,
      '',
      stuck > 0
        ? `holding ${reserved(held) || 'nothing'}`
        : `nothing is held; ${number(gone)} ended otherwise`,
    ],
    [
      'Reclaimed',
      reclaimed.cpuHours,
      'core-hours',
      `and ${number(reclaimed.gibHours)} GiB-hours that the ended pods would have held`,
    ],
    [
      'Wasted',
      wasted.cpuHours,
      'core-hours',
      `and ${number(wasted.gibHours)} GiB-hours; ${number(wastedByStuck.cpuHours)} core-hours by what is stuck`,
    ],
  ];
}

function Alarm({ history, harm: table }: Summarized) {
  const { harm } = history;
  return (
    <div class="alarm" role="note">
      <b>{harmOf(history)}</b>
      <ul>
        {harm.slice(0, mostHarm).map(({ namespace, name, owner, does = 'an unknown step', at, ...done }) => (
          <li>
            <b>
              {owner && done.kind !== 'PodFailed'
                ? `Job ${namespace}/${owner.name}`
                : `Pod ${namespace}/${name}`}{' '}
              {describeHarm(done)}
            </b>
            : {does} to pod {name}, {minuteOf(at)}
          </li>
        ))}
      </ul>
      {table && harm.length > mostHarm && <Folded of={table} />}
    </div>
  );
}

function headline({ read, totals, stuck, leftOut }: History): string {
  if (read.reports === 0 && read.dryRuns > 0) return 'Dry runs only: nothing was sent';
  if (totals.pods === 0) return 'No pod was stuck';
  if (totals.stuck === 0) return `No pod is stuck any more: ${many(totals.ended, 'pod')} ended by sweeps`;
  const longest = stuck.toSorted((a, b) => stuckFor(b) - stuckFor(a))[0];
  // The list has the pods that waste most.
  const about = leftOut['stuck'] ? 'at least ' : '';
  const age = longest ? `, the longest for ${about}${elapsed(longest.mainsEndedAt, longest.lastSeenAt)}` : '';
  return `${many(totals.stuck, 'pod')} ${totals.stuck === 1 ? 'is' : 'are'} stuck${age}`;
}

function stuckFor({ mainsEndedAt, lastSeenAt }: History['stuck'][number]): number {
  return Date.parse(lastSeenAt) - Date.parse(mainsEndedAt);
}
