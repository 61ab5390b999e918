import { describe, expect, it } from 'vitest';
import { fitsRule, type Rule, type RuleSubject, rule } from '../../../src/policy/rules.ts';

describe('a rule of a policy', () => {
  it('makes sidecars unless it says otherwise', () => {
    const expected = { name: 'logs', role: 'Sidecar', containers: ['log-*'] };
    expect(rule.parse({ name: 'logs', containers: ['log-*'] })).toEqual(expected);
  });

  it.each<readonly [title: string, value: unknown]>([
    ['that makes mains of everything', { name: 'all', role: 'Main' }],
    ['that says so', { name: 'all', role: 'Main', containers: ['*'] }],
    ['that names a registry with a port', { name: 'port', images: ['registry.example:5000/acme/log'] }],
    ['that is narrow by its images alone', { name: 'agents', containers: ['*'], images: ['acme/agent-*'] }],
  ])('%s is accepted', (_title, value) => {
    expect(rule.safeParse(value).success).toBe(true);
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, value: unknown]>([
    ['without a name', { containers: ['a'] }],
    ['that would make a sidecar of every container', { name: 'all' }],
    ['that only says where', { name: 'all', namespaces: ['etl'], labels: { team: 'data' }, ownerKinds: ['Job'] }],
    ['whose only pattern fits everything', { name: 'all', containers: ['*'] }],
    ['of whose patterns one fits everything', { name: 'all', containers: ['log', '**'] }],
    ['whose images fit everything', { name: 'all', images: ['*/*'] }],
    ['whose image has a tag, so that it would match none', { name: 'tag', images: ['acme/log:1.2'] }],
    ['whose image has a digest', { name: 'digest', images: ['acme/log@sha256:*'] }],
    ['with an empty list', { name: 'none', containers: [] }],
    ['with an empty pattern', { name: 'none', containers: [''] }],
    ['with a pattern that no name is as long as', { name: 'long', containers: ['a'.repeat(254)] }],
    ['with an unknown word', { name: 'typo', container: ['log'] }],
    ['with an unknown role', { name: 'role', role: 'Helper', containers: ['a'] }],
  ])('%s is refused', (_title, value) => {
    expect(rule.safeParse(value).success).toBe(false);
  });
});

describe('a rule fits', () => {
  const subject: RuleSubject = {
    container: 'log-shipper',
    image: 'registry.example:5000/acme/log-shipper:2.1',
    namespace: 'etl-prod',
    labels: { team: 'data', tier: 'batch' },
    ownerKind: 'Job',
  };
  const fits = (parts: Partial<Rule>) => fitsRule({ name: 'test', role: 'Sidecar', ...parts }, subject);

  it.each<readonly [title: string, parts: Partial<Rule>, expected: boolean]>([
    ['by the name of the container', { containers: ['log-*'] }, true],
    ['by one name of several', { containers: ['proxy', 'log-*'] }, true],
    ['not by another name', { containers: ['proxy', 'shipper'] }, false],
    ['by the image, whatever its registry and tag', { images: ['acme/log-*'] }, true],
    ['not by another image', { images: ['acme/proxy', 'log-*/acme'] }, false],
    ['by the namespace', { namespaces: ['etl-*'] }, true],
    ['not in another namespace', { namespaces: ['etl', 'web'] }, false],
    ['by the kind of the owner', { ownerKinds: ['Workflow', 'Job'] }, true],
    ['by the kind of the owner in lower case, as kubectl takes it', { ownerKinds: ['job'] }, true],
    ['not for another owner', { ownerKinds: ['CronJob', 'Workflow'] }, false],
    ['by a label', { labels: { team: 'da*' } }, true],
    ['by each of several labels', { labels: { team: 'data', tier: '*' } }, true],
    ['not when one label differs', { labels: { team: 'data', tier: 'web' } }, false],
    ['not by a label that the pod does not have', { labels: { zone: '*' } }, false],
    ['not by what every object has', { labels: { constructor: '*' } }, false],
    ['when all of its parts do', { containers: ['log-*'], namespaces: ['etl-*'], ownerKinds: ['Job'] }, true],
    ['not when one of its parts does not', { containers: ['log-*'], namespaces: ['web'] }, false],
  ])('%s', (_title, parts, expected) => {
    expect(fits(parts)).toBe(expected);
  });

  it('no owner only when it asks for none', () => {
    const orphan = { ...subject, ownerKind: undefined };
    expect(fitsRule({ name: 'any', role: 'Sidecar', containers: ['log-*'] }, orphan)).toBe(true);
    expect(fitsRule({ name: 'job', role: 'Sidecar', ownerKinds: ['Job'] }, orphan)).toBe(false);
  });
});
