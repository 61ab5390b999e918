import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { namespacesOf } from '../../../src/cli/flags/scope.ts';
import { addSweepFlags, type SweepFlags } from '../../../src/cli/flags/sweep.ts';
import { parseArguments } from '../../../src/cli/program.ts';

/** Splits a command line without quotes into words. */
function argv(line: string): readonly string[] {
  return line.split(' ').filter((word) => word !== '');
}

/** The flags of a sweep, with parsed namespaces. */
function flagsOf(line: string): SweepFlags & { readonly namespaces: readonly string[] } {
  const flags = addSweepFlags(new Command())
    .parse([...argv(line)], { from: 'user' })
    .opts<SweepFlags>();
  return { ...flags, namespaces: namespacesOf(flags) };
}

function messageOf(words: readonly string[]): string {
  const parsed = parseArguments(words);
  if (parsed.kind !== 'Wrong') expect.fail(`accepted: ${words.join(' ')}`);
  return parsed.message;
}

it('without flags, all namespaces are swept with the defaults', () => {
  expect(flagsOf('')).toEqual({
    namespaces: [],
    concurrency: 20,
    requestTimeout: 30_000,
  } satisfies ReturnType<typeof flagsOf>);
});

describe('flags are parsed:', () => {
  it.each<readonly [line: string, expected: Partial<ReturnType<typeof flagsOf>>]>([
    ['-n jobs', { namespaces: ['jobs'] }],
    ['--namespace jobs', { namespaces: ['jobs'] }],
    ['--namespace=jobs', { namespaces: ['jobs'] }],
    ['-n jobs -n etl', { namespaces: ['jobs', 'etl'] }],
    ['-n jobs,etl', { namespaces: ['jobs', 'etl'] }],
    ['-n jobs -n jobs', { namespaces: ['jobs'] }],
    ['-A', { namespaces: [] }],
    ['--all-namespaces', { namespaces: [] }],
    ['-l app=x,tier!=y', { selector: 'app=x,tier!=y' }],
    ['--selector app', { selector: 'app' }],
    ['--min-age 30m', { minAge: 1_800_000 }],
    ['--min-age 0', { minAge: 0 }],
    ['--dry-run', { dryRun: true }],
    ['-y', { yes: true }],
    ['--yes --dry-run', { yes: true, dryRun: true }],
    ['--color never', { color: 'never' }],
    ['-o wide', { output: 'wide' }],
    ['--concurrency 1', { concurrency: 1 }],
    ['--concurrency 1000', { concurrency: 1_000 }],
    ['--deadline 10m', { deadline: 600_000 }],
    ['--request-timeout 5s', { requestTimeout: 5_000 }],
    // As in kubectl.
    ['--request-timeout 5', { requestTimeout: 5_000 }],
    ['--context kind', { context: 'kind' }],
    ['--kubeconfig /tmp/k', { kubeconfig: '/tmp/k' }],
    ['-o json', { output: 'json' }],
    ['--output table', { output: 'table' }],
    ['--log-level debug', { logLevel: 'debug' }],
    ['--log-level silent', { logLevel: 'silent' }],
    ['-A --dry-run -o json --min-age 1h30m', { dryRun: true, output: 'json', minAge: 5_400_000 }],
  ])('%s', (line, expected) => {
    expect(flagsOf(line)).toMatchObject(expected);
  });
});

describe('a usage error is one line that names the mistake:', () => {
  it.each([
    ['--nosuch', '--nosuch'],
    ['--concurency 5', '--concurrency'],
    ['-x', '-x'],
    ['jobs', "unknown command 'jobs'; to sweep a namespace, use -n"],
    ['-n jobs extra', "unknown command 'extra'"],
    ['-n', '--namespace'],
    ['--deadline', '--deadline'],
    ['-A -n jobs', '--all-namespaces and --namespace'],
    ['-n Jobs', 'Jobs'],
    ['-n kube_system', 'kube_system'],
    ['-n -jobs', '-jobs'],
    ['-n ../secrets', '../secrets'],
    ['-n jobs,', 'jobs,'],
    [`-n ${'x'.repeat(64)}`, 'namespace'],
    ['--concurrency 0', '1 to 1000'],
    ['--concurrency 1001', '1 to 1000'],
    ['--concurrency -5', '1 to 1000'],
    ['--concurrency 1e2', '1 to 1000'],
    ['--concurrency 2.5', '1 to 1000'],
    ['--concurrency twenty', '1 to 1000'],
    ['--concurrency 0x10', '1 to 1000'],
    ['--concurrency NaN', '1 to 1000'],
    ['--min-age 5', '90s'],
    ['--min-age -5m', '90s'],
    ['--min-age soon', '90s'],
    ['--min-age NaN', '90s'],
    ['--deadline 0', '24d'],
    ['--deadline 0s', '24d'],
    ['--deadline 25d', '24d'],
    ['--deadline 5', '90s'],
    ['--request-timeout 0', '24d'],
    ['--request-timeout 1m5', '90s'],
    ['-o yaml', 'table, wide, json, ndjson, markdown, name'],
    ['-o JSON', 'table, wide, json'],
    ['--log-level loud', 'debug'],
    ['--dry-run=server', '--dry-run'],
    ['--lock a --no-lock', '--lock and --no-lock are mutually exclusive; use one of them'],
    ['--no-lock --lock a', '--lock and --no-lock are mutually exclusive; use one of them'],
    ['check-access --lock a --no-lock', '--lock and --no-lock'],
    ['--lock ..', 'not a valid namespace name'],
    ['--lock kube/system', 'not a valid namespace name'],
    ['--noop-image -', 'registry.example/noop:1'],
    ['--pushgateway-url http://me:100%@gateway', 'Percent-encode'],
    ['--pushgateway-url http://127.0.0.1:9', 'the Pushgateway URL has a port that cannot be used: 9'],
  ])('%s', (line, names) => {
    const message = messageOf(argv(line));
    expect(message).toContain(names);
    expect(message).not.toMatch(/\n|^error/);
  });

  it.each([
    [['-n', '']],
    [['--min-age', '']],
    [['--noop-image', '']],
    [['--noop-image', 'busybox latest']],
    [['--lock', '']],
    [['--concurrency', '']],
    [['--concurrency', ' 5']],
    [['--output', '']],
    ...['--policy', '--kubeconfig', '--report-file', '--metrics-file', '--selector', '-l'].map((flag) => [
      [flag, ''],
    ]),
    [['profiles', '--policy', '']],
    [['-l', 'a b']],
    [['--namespace-selector', 'a=b,']],
    [['advise', '--from', '']],
    [['']],
  ])('%j', (words) => {
    expect(messageOf(words)).toMatch(/^\S.*\S$/);
  });
});

describe('help', () => {
  it.each([
    ['help help', /^Usage: sidecar-sweeper help /],
    ['help --help', /^Usage: sidecar-sweeper help /],
    ['help scan', /^Usage: sidecar-sweeper scan /],
    ['help', /^Usage: sidecar-sweeper \[options\] \[command\]/],
  ])('%s: help', (line, text) => {
    expect(parseArguments(argv(line))).toMatchObject({ kind: 'Help', text: expect.stringMatching(text) });
  });

  it('help takes as many words as a command has', () => {
    const parsed = parseArguments(['help', 'report', 'merge']);
    expect(parsed).toMatchObject({ kind: 'Help', text: expect.stringMatching(/^Usage: \S+ report merge /) });
  });

  it.each(['--help', '-h', '-A --help --nosuch', 'help', 'help explain'])('%s prints help', (line) => {
    const parsed = parseArguments(argv(line));
    expect(parsed.kind).toBe('Help');
  });

  it('names every flag and every exit code', () => {
    const parsed = parseArguments(['--help']);
    const text = parsed.kind === 'Help' ? parsed.text : '';
    const flags = [
      ...[
        '--namespace',
        '--all-namespaces',
        '--selector',
        '--min-age',
        '--dry-run',
        '--concurrency',
        '--deadline',
      ],
      ...[
        '--context',
        '--kubeconfig',
        '--insecure-skip-tls-verify',
        '--request-timeout',
        '--output',
        '--log-level',
        '--version',
      ],
    ];
    for (const flag of flags) expect(text).toContain(flag);
    for (const code of [0, 1, 2, 3, 4, 5]) expect(text).toMatch(new RegExp(`\\b${code} {2}\\w`));
  });

  it.each([
    '--help',
    'scan --help',
    'explain --help',
    'advise --help',
    'report --help',
    'report merge --help',
  ])('%s fits into 80 columns', (line) => {
    const parsed = parseArguments(argv(line));
    const text = parsed.kind === 'Help' ? parsed.text : '';
    expect(text).not.toBe('');
    expect(text.split('\n').filter((each) => each.length > 80)).toEqual([]);
  });

  it('--version prints the version', () => {
    expect(parseArguments(['--version'])).toEqual({ kind: 'Help', text: 'dev\n' });
  });
});
