import { describe, expect, it } from 'vitest';
import { isLabelSelector, matchesLabels } from '../../../src/model/scope.ts';

const longest = 'x'.repeat(63);

// Each was parsed by Kubernetes' own labels.Parse: kubectl drain --pod-selector.
it.each([
  '',
  ' ',
  'app',
  '!app',
  '! app',
  'app=report',
  ' app = report ',
  'app==report',
  'app!=report',
  'app=',
  'app=,tier',
  'app=x,tier!=y,!canary',
  'app.kubernetes.io/name=report',
  'replicas>5',
  'replicas < 5',
  'app in (a)',
  'app in ()',
  'app in (a, b)',
  'app in(a,b)',
  'app notin (a,b),tier=x',
  'app in (,a)',
  'app in (a,)',
  'in in (in,notin)',
  'app=in',
  `${longest}=${longest}`,
])('%j can be parsed', (selector) => {
  expect(isLabelSelector(selector)).toBe(true);
});

it.each([
  'a b',
  'app=report,',
  ',app',
  'app,,tier',
  'app===report',
  'app=!report',
  'app=a b',
  '!!app',
  '!app=report',
  '=report',
  'app in',
  'app in a',
  'app in (a',
  'app in (a b)',
  'app in (a=b)',
  'appin (a)',
  'app = (a)',
  'app>x',
  'app>',
  'app=-x',
  'app=x_',
  'a/b/c=d',
  '/app',
  'Example.com/app',
  'app:report',
  'app=räport',
  'app\u00a0=report',
  `${longest}x`,
  `app=${longest}x`,
])('%j cannot', (selector) => {
  expect(isLabelSelector(selector)).toBe(false);
});

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

  it.each(['app>1', 'app<1', 'what is this', '((', '__proto__'])(
    '%s, which is left to the server',
    (selector) => {
      expect(matchesLabels(selector, labels)).toBe(true);
    },
  );
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
    'constructor',
  ])('%s', (selector) => {
    expect(matchesLabels(selector, labels)).toBe(false);
  });
});
