import { describe, expect, it } from 'vitest';
import { groups } from '../../../src/cli/help.ts';
import { parseArguments } from '../../../src/cli/program.ts';

function help(line: string, width = 80, program = 'sidecar-sweeper'): string {
  const parsed = parseArguments(line.split(' '), { program, width });
  return parsed.kind === 'Help' ? parsed.text : expect.fail(line);
}

const commands = [
  'scan',
  'explain',
  'advise',
  'profiles',
  'validate',
  'check-access',
  'report',
  'report merge',
  'completion',
];

describe('help', () => {
  it('has the flags in groups, in an order of their own', () => {
    const heads = help('--help').match(/^[A-Z][a-z ]+:$/gm) ?? [];
    expect(heads).toEqual(['Examples:', ...Object.values(groups), 'Commands:', 'Exit codes:']);
  });

  it.each(commands)('%s has examples first, and every flag in a group', (command) => {
    const text = help(`${command} --help`);
    expect(text).toMatch(/^Usage: .*\n\n[^\n]+\n(?:[^\n]+\n)?\nExamples:\n {2}sidecar-sweeper /);
    expect(text).not.toContain('Options:');
    const heads: readonly string[] = text.match(/^[A-Z][a-z ]+:$/gm) ?? [];
    const inOrder = Object.values<string>(groups).filter((group) => heads.includes(group));
    expect(heads.filter((head) => inOrder.includes(head))).toEqual(inOrder);
  });

  it.each([30, 80])('keeps examples whole in %i columns, to be copied', (width) => {
    expect(help('completion --help', width)).toContain(
      '\n  sidecar-sweeper completion fish > ~/.config/fish/completions/sidecar-sweeper.fish\n',
    );
    expect(help('scan --help', width)).toContain('\n  sidecar-sweeper scan\n');
  });

  it.each([20, 40, 80, 100, 200])(
    'is as wide as a terminal of %i columns, and never too wide to read',
    (width) => {
      const described = help('--help', width)
        .split('\n')
        .filter((line) => /^ {6,}\S/.test(line) && line.trim().includes(' '));
      const longest = Math.max(...described.map((line) => line.length));
      expect(longest).toBeLessThanOrEqual(Math.min(Math.max(width, 30), 120));
      expect(longest).toBeGreaterThan(Math.min(width, 120) * 0.7);
    },
  );

  it('says kubectl to whoever called it through kubectl', () => {
    const text = help('explain --help', 80, 'kubectl sweep-sidecars');
    expect(text).toMatch(/^Usage: kubectl sweep-sidecars explain /);
    expect(text).not.toContain('sidecar-sweeper explain');
    expect(help('scan --help', 80, 'kubectl sweep-sidecars')).toContain(
      'xargs kubectl sweep-sidecars explain',
    );
  });
});
