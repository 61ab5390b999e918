import { describe, expect, it } from 'vitest';
import { flagGroups } from '../../../src/cli/flags.ts';
import { calledAs, parseArguments } from '../../../src/cli/program.ts';

function help(line: string, width = 80, program = 'sidecar-sweeper'): string {
  const parsed = parseArguments(line.split(' '), { program, width });
  return parsed.kind === 'Help' ? parsed.text : expect.fail(line);
}

it.each([
  ['/usr/bin/sidecar-sweeper', 'sidecar-sweeper', ['scan']],
  ['/app/dist/sidecar-sweeper.mjs', 'sidecar-sweeper', ['scan']],
  ['/usr/bin/kubectl-sweep_sidecars', 'kubectl sweep-sidecars', ['scan']],
  ['/usr/bin/kubectl-sweep_sidecars.mjs', 'kubectl sweep-sidecars', ['scan']],
  ['/usr/bin/kubectl_complete-sweep_sidecars', 'kubectl sweep-sidecars', ['__complete', 'scan']],
  ['', 'sidecar-sweeper', ['scan']],
])('%s is called as %s', (file, program, argv) => {
  expect(calledAs(file, ['scan'])).toEqual({ program, argv });
});

const tooMany = 'too many arguments for';

// biome-ignore format: one row a line
it.each([
  ['swep', "unknown command 'swep' (did you mean sweep?)"],
  ['scann', "unknown command 'scann' (did you mean scan?)"],
  ['profile', "unknown command 'profile' (did you mean profiles?)"],
  ['jobs', "unknown command 'jobs'"],
  ['--nosuch', "unknown option '--nosuch'"],
  ['sweep --namspace a', "unknown option '--namspace' (did you mean --namespace?)"],
  ['scan jobs', `${tooMany} 'scan'. Expected 0 arguments but got 1; to name a namespace, use -n`],
  ['validate a.yaml b.yaml', `${tooMany} 'validate'. Expected 1 argument but got 2`],
  ['--dry-run', 'missing command (did you mean sidecar-sweeper sweep --dry-run?)'],
  ['--namespace=jobs -l a!=b', "missing command (did you mean sidecar-sweeper sweep --namespace=jobs -l 'a!=b'?)"],
  ['-n jobs scan -A', "option '-A, --all-namespaces' cannot be used with option '-n, --namespace <namespace>'"],
  ['--min-age 1h report merge a', "unknown option '--min-age'"],
  ['help scann', "unknown command 'scann' (did you mean scan?)"],
  ['help report mrge', "unknown command 'report mrge' (did you mean merge?)"],
  ['help scan jobs', "unknown command 'scan jobs'"],
  ['help -x', "unknown option '-x'"],
  ['hlp', "unknown command 'hlp' (did you mean help?)"],
  ['-x', "unknown option '-x'"],
  ['completion bsh', "unknown shell 'bsh'. Allowed choices are bash, zsh, fish"],
])('%s: %s', (line, message) => {
  const parsed = parseArguments(line.split(' '));
  expect(parsed).toMatchObject({ kind: 'Wrong', message });
});

it.each([
  ['--nosuch', 'sidecar-sweeper --help'],
  ['jobs', 'sidecar-sweeper --help'],
  ['scan --nosuch', 'sidecar-sweeper scan --help'],
  ['scan -A -n jobs', 'sidecar-sweeper scan --help'],
  ['report merge --min-age 1h', 'sidecar-sweeper report merge --help'],
])('%s: see %s', (line, help) => {
  expect(parseArguments(line.split(' '))).toMatchObject({ kind: 'Wrong', help });
});

// biome-ignore format: as many as fit on a line
it.each([
  '--context prod scan -n jobs', '-n jobs --context=prod scan', 'scan -n jobs --context prod',
  '-n jobs -v explain a/b', '-o json report merge a', 'report -o json merge a', '-o json report a',
  '-A --dry-run sweep', 'version',
])('flags stand before or after the command: %s', (line) => {
  expect(parseArguments(line.split(' ')).kind).toBe('Run');
});

// biome-ignore format: as many as fit on a line
const commands = [
  'sweep', 'scan', 'explain', 'advise', 'profiles', 'validate', 'check-access', 'report', 'schema',
  'completion',
];
const groups = [...Object.keys(flagGroups), 'Other'].map((title) => `${title}:`);

describe('help', () => {
  it.each<readonly [line: string, usage: string]>([
    ['--help', 'sidecar-sweeper <command> [options]'],
    ['-h', 'sidecar-sweeper <command> [options]'],
    ['help', 'sidecar-sweeper <command> [options]'],
    ['sweep --help', 'sidecar-sweeper sweep [options]'],
    ['sweep -A --help --nosuch', 'sidecar-sweeper sweep [options]'],
    ['help sweep', 'sidecar-sweeper sweep [options]'],
    ['help help', 'sidecar-sweeper help '],
    ['help --help', 'sidecar-sweeper help '],
    ['help scan', 'sidecar-sweeper scan '],
    ['help report merge', 'sidecar-sweeper report merge '],
    ['version --help', 'sidecar-sweeper version '],
  ])('%s: %s', (line, usage) => {
    expect(help(line).startsWith(`Usage: ${usage}`)).toBe(true);
  });

  it.each([[[]], [['--']]])('is short without a command, and leads to a scan: %j', (argv) => {
    const parsed = parseArguments(argv);
    if (parsed.kind !== 'Help') expect.fail(parsed.kind);
    expect(parsed.text).toMatch(/^Ends the sidecars.*\n\n {2}sidecar-sweeper scan /);
    expect(parsed.text.trimEnd().split('\n')).toHaveLength(7);
    expect(parsed.text).toContain('sidecar-sweeper --help lists all commands');
  });

  it('fits on a screen, with all commands', () => {
    const text = help('--help');
    expect(text).toMatch(/\n\nExamples:\n {2}sidecar-sweeper scan /);
    expect(text.split('\n').length).toBeLessThan(50);
    for (const command of [...commands, 'version'])
      expect(text).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
  });

  it('of a sweep has the flags in groups, in their order, and every exit code', () => {
    const text = help('sweep --help');
    const heads = text.match(/^[A-Z][a-z ]+:$/gm) ?? [];
    expect(heads).toEqual(['Examples:', 'Arguments:', ...groups, 'Exit codes:']);
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7]) expect(text).toMatch(new RegExp(`\\b${code} {2}\\w`));
  });

  it.each([...commands, 'report merge'])('%s has examples first, and every flag in a group', (command) => {
    const text = help(`${command} --help`);
    expect(text).toMatch(/^Usage: .*\n\n[^\n]+\n(?:[^\n]+\n)?\nExamples:\n {2}sidecar-sweeper /);
    expect(text).not.toContain('Options:');
    const heads: readonly string[] = text.match(/^[A-Z][a-z ]+:$/gm) ?? [];
    const inOrder = groups.filter((group) => heads.includes(group));
    expect(heads.filter((head) => inOrder.includes(head))).toEqual(inOrder);
    expect(
      text.split('\n').filter((each) => each.length > 80 && !each.startsWith('  sidecar-sweeper ')),
    ).toEqual([]);
  });

  it.each([30, 80])('keeps examples whole in %i columns, so that they can be copied', (width) => {
    expect(help('completion --help', width)).toContain(
      '\n  sidecar-sweeper completion fish > ~/.config/fish/completions/sidecar-sweeper.fish\n',
    );
    expect(help('scan --help', width)).toContain('\n  sidecar-sweeper scan -A\n');
  });

  it.each([0, 1, 20, 40, 80, 100, 200])('is as wide as %i columns, and never too wide to read', (width) => {
    const text = help('sweep --help', width);
    expect(text).toContain('Exit codes:');
    const described = text.split('\n').filter((line) => /^ {6,}\S/.test(line) && line.trim().includes(' '));
    const longest = Math.max(...described.map((line) => line.length));
    expect(longest).toBeLessThanOrEqual(Math.min(Math.max(width, 30), 120));
    expect(longest).toBeGreaterThan(Math.min(width, 120) * 0.7);
  });

  it('names the program as it was called, such as kubectl', () => {
    const text = help('explain --help', 80, 'kubectl sweep-sidecars');
    expect(text).toMatch(/^Usage: kubectl sweep-sidecars explain /);
    expect(text).not.toContain('sidecar-sweeper explain');
    const expected = 'xargs kubectl sweep-sidecars explain';
    expect(help('scan --help', 80, 'kubectl sweep-sidecars')).toContain(expected);
  });

  it('--version prints the version', () => {
    expect(help('--version')).toBe('dev\n');
  });
});
