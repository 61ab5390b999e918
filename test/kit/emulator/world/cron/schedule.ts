const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FOUR_YEARS = 4 * 366 * DAY;
const MACROS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

/** The first time after `after` (milliseconds, UTC) of a cron schedule; undefined if there is none. */
export function nextTime(schedule: string, after: number): number | undefined {
  const fields = (MACROS[schedule] ?? schedule).trim().split(/\s+/);
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = fields;
  const isDay = (date: Date) => {
    const onDay = matches(days, date.getUTCDate(), 1, 31);
    const weekday = date.getUTCDay();
    const onWeekday = matches(weekdays, weekday, 0, 6) || (weekday === 0 && weekdays === '7');
    const either = days !== '*' && weekdays !== '*';
    return (
      matches(months, date.getUTCMonth() + 1, 1, 12) && (either ? onDay || onWeekday : onDay && onWeekday)
    );
  };
  let time = (Math.floor(after / MINUTE) + 1) * MINUTE;
  const last = after + FOUR_YEARS;
  while (time < last) {
    const date = new Date(time);
    if (!isDay(date)) time = (Math.floor(time / DAY) + 1) * DAY;
    else if (matches(hours, date.getUTCHours(), 0, 23) && matches(minutes, date.getUTCMinutes(), 0, 59)) {
      return time;
    } else time += MINUTE;
  }
  return undefined;
}

/** Whether a number is in a list of numbers, ranges and steps: `*`, `5`, `1-5`, `10-30/5`. */
function matches(field: string, value: number, lowest: number, highest: number): boolean {
  return field.split(',').some((part) => {
    const [range = '', step = '1'] = part.split('/');
    const [from = lowest, to] = range === '*' ? [lowest, highest] : range.split('-').map(Number);
    const last = to ?? (part.includes('/') ? highest : from);
    return value >= from && value <= last && (value - from) % Number(step) === 0;
  });
}
