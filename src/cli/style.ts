import type { Style } from '../report/columns.ts';
import type { ColorFlags } from './flags/color.ts';
import type { Output, Surroundings } from './surroundings.ts';

/** How a text for people is written to an output. */
export function styleFor(output: Output, { color }: ColorFlags, env: Surroundings['env']): Style {
  // A terminal that was never told its size says that it has 0 columns.
  return { colour: usesColour(output, color, env), width: output.columns || undefined, wide: false };
}

/** A flag takes precedence over NO_COLOR (https://no-color.org), and that over FORCE_COLOR (https://force-color.org). */
function usesColour(output: Output, color: ColorFlags['color'] = 'auto', env: Surroundings['env']): boolean {
  if (color !== 'auto') return color === 'always';
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  // Node and the tools around it take these as off.
  if (forced) return forced !== '0' && forced !== 'false';
  return output.isTTY === true && env['TERM'] !== 'dumb';
}
