import { parseArgs } from 'node:util';
import { sweepFormats } from '../../src/cli/flags.ts';
import { UsageError } from '../../src/util/usage-error.ts';

export interface DemoOptions {
  readonly output: (typeof sweepFormats)[number];
  readonly keep: boolean;
  readonly why: boolean;
}

/** What `npm run demo` is asked for. Throws UsageError. */
export function demoOptions(argv: readonly string[]): DemoOptions {
  const { output, ...flags } = parse(argv);
  const format = sweepFormats.find((each) => each === output);
  if (format === undefined) throw new UsageError(`-o '${output}' is none of ${sweepFormats.join(', ')}`);
  return { ...flags, output: format };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        output: { type: 'string', short: 'o', default: 'table' },
        keep: { type: 'boolean', default: false },
        why: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const [what = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new UsageError(`${what}; it takes -o <format>, --why and --keep`);
  }
}
