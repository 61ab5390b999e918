/** The most bytes of a line that container runtimes keep whole. */
const most = 16 * 1024;

/**
 * What a CRI runtime writes of the output of a container: each line with its time and stream, a long one in
 * parts, all but the last of them marked P.
 */
export function containerLog(output: string, stream: 'stdout' | 'stderr' = 'stdout'): readonly string[] {
  return output
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const bytes = Buffer.from(line);
      const parts = Math.max(1, Math.ceil(bytes.length / most));
      return Array.from({ length: parts }, (_, index) => {
        const part = bytes.subarray(index * most, (index + 1) * most).toString('latin1');
        return `2026-11-21T04:00:00.123456789Z ${stream} ${index === parts - 1 ? 'F' : 'P'} ${part}`;
      });
    })
    .map((line) => Buffer.from(line, 'latin1').toString());
}
