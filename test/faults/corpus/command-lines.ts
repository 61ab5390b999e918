import { hostileTexts } from './hostile-texts.ts';

const durations = ['', ' ', '5', '-5m', '5 m', '1e3s', '0x5s', 'NaN', '5M', '1m5', '99999999999999999999w'];
// biome-ignore format: as many as fit on a line
const numbers = [
  '', ' ', '-1', '1.5', '1e2', '0x10', 'NaN', 'Infinity', '9'.repeat(400), '\u0665', '5 ', 'many',
];
// biome-ignore format: as many as fit on a line
const namespaces = [
  '', ' ', '.', '..', '../x', 'a/b', 'A', 'a_b', 'a.b', '-a', 'a-', 'kube-*', '*', 'a,', ',a',
  'x'.repeat(64),
];
const images = ['', ' ', 'a b', 'a:', '-', 'a@b', 'a\nb', 'https://a b'];
const files = ['/nonexistent/policy.yaml', '/', '/dev/null', '', 'x'.repeat(5_000)];

const each = (flag: string, values: readonly string[]) => values.map((value) => [`${flag}=${value}`]);

// biome-ignore format: as many as fit on a line
const others: readonly (readonly string[])[] = [
  ['--last-resort', 'image-swap'], ['-A', '-n', 'jobs'], ['--shard', '0/2', '--shards', '2'], [''],
  ['profiles', '--policy', ''], ['advise', '--from', ''], ['-l', 'a b'], ['--context', 'nowhere'],
  ['--nosuch'], ['--concurency', '5'], ['-x'], ['--'.concat('x'.repeat(10_000))], ['jobs'],
  ['sweep', 'x', '--nosuch'], ['--', 'X!'], ['-n'], ['scan', 'x'], ['explain', '../x'], ['explain', 'a/b/c'],
  ['explain', 'jobs/..'], ['explain', 'X'], ['explain', ''], ['validate'], ['validate', 'a', 'b'],
  ['profiles', 'nosuch'], ['schema', 'nosuch'], ['completion'], ['completion', 'powershell'],
  ['report', '-o', 'name', '/dev/null'], ['report', '--nosuch', '/dev/null'],
  ['report', '-o', '9'.repeat(400), '/dev/null'], ['report', '/nonexistent'], ['report', '/dev/null'],
  ['report', '/'], ['report', 'merge', '/dev/null'], ['report', 'merge', '/nonexistent'], ['help', 'nosuch'],
];

export const badCommandLines: readonly (readonly string[])[] = [
  ...each('--min-age', durations),
  ...each('--deadline', [...durations, '0', '0s', '25d']),
  ...each('--request-timeout', ['', ' ', '-5m', '0', '0s', 'NaN', '25d', '5 m']),
  ...each('--concurrency', [...numbers, '0', '1001', '1e9']),
  ...each('--max-pods', [...numbers, '0', '1000001']),
  ...each('--shard', ['', '3/3', '0/0', '-1/3', '1', '1/', '/3', '0/1001', '1/2/3', '0x1/3', '1e0/3']),
  ...each('--shards', [...numbers, '0', '1001']),
  ...each('--namespace', namespaces),
  ...each('--lock', namespaces),
  ...each('--noop-image', images),
  ...each('--policy', files),
  ...each('--selector', ['', ' ']),
  ...each('--kubeconfig', ['', '/nonexistent', '/', 'x'.repeat(5_000)]),
  ...each('--output', ['', 'xml', 'JSON', 'yml', 'html', 'json,table']),
  ...each('--log-level', ['', 'loud', 'INFO', '0']),
  ...each('--unclean-exit', ['', 'never', 'true']),
  ...each('--last-resort', ['', 'explode', 'Delete', 'signal', 'delete,evict']),
  ...each('--fail-on', ['', 'never', 'warning']),
  ...each('--color', ['', 'yes', 'true']),
  ...each('--report-file', ['', '/', '/nonexistent/folder/report.json']),
  ...others,
  // An empty value is a variable that a script did not set.
  ...['--context', '-n', '-l', '--as'].map((flag) => [flag, '']),
  ...Object.values(hostileTexts).flatMap((text) =>
    // An argument of a program cannot contain a NUL.
    text.includes('\0') || text === ''
      ? []
      : [[text], ['--context', text], [`--${text}`], ['--min-age', text]],
  ),
];
