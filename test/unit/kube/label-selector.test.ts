import { describe, expect, it } from 'vitest';
import { matchesLabels } from '../../../src/kube/label-selector.ts';

const labels = { app: 'report', 'team.io/name': 'a', empty: '', in: 'x' };

describe('labels match', () => {
  it.each([
    'app',
    '!missing',
    '! missing',
    'app=report',
    'app==report',
    'app = report',
    'app!=other',
    'missing!=report',
    'empty=',
    'in=x',
    'in in (x)',
    'app in (report, other)',
    'app in(report)',
    'app notin (other)',
    'missing notin (report)',
    'app=report,team.io/name in (a,b),!missing',
    '',
  ])('%s', (selector) => {
    expect(matchesLabels(selector, labels)).toBe(true);
  });

  it.each(['app>1', 'what is this', '(('])('%s, which is left to the server', (selector) => {
    expect(matchesLabels(selector, labels)).toBe(true);
  });
});

describe('labels do not match', () => {
  it.each([
    'missing',
    '!app',
    'app=other',
    'app==other',
    'app=',
    'missing=',
    'app!=report',
    'app in (other,another)',
    'missing in (a)',
    'missing in ()',
    'app notin (other, report)',
    'app=report,team.io/name notin (a,b)',
    'team.io/name in (b,c),app',
    'toString',
    '__proto__',
  ])('%s', (selector) => {
    expect(matchesLabels(selector, labels)).toBe(false);
  });
});
