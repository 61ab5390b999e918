import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { methodNamed } from '../../../src/methods/index.ts';
import { needs, type RbacRule } from '../../../src/methods/permissions.ts';
import { nameOf, type Permission, permissionsIn, permissionsOf } from './permissions.ts';
import { folder, foldersOf } from './render.ts';

const features: Readonly<Record<string, readonly RbacRule[]>> = {
  exec: methodNamed('Signal').rbac,
  http: methodNamed('Http').rbac,
  'image-swap': methodNamed('ImageSwap').rbac,
  'events-and-lease': [...needs.events.rules, ...needs.lease.rules],
  'raise-backoff-limit': needs['raise-backoff-limit'].rules,
  pushgateway: [],
};

interface Patch {
  readonly target: { readonly kind: string };
  readonly patch: string;
}

function granted(component: string): readonly Permission[] {
  const { patches = [], resources = [] } = parse(
    readFileSync(`${folder(component)}/kustomization.yaml`, 'utf8'),
  );
  const added = patches
    .filter(({ target }: Patch) => target.kind.endsWith('Role'))
    .flatMap(({ patch }: Patch) => parse(patch).map(({ value }: { value: unknown }) => value));
  const own = resources.flatMap((file: string) =>
    parseAllDocuments(readFileSync(`${folder(component)}/${file}`, 'utf8')).map((each) => each.toJS()),
  );
  return [
    ...added.flatMap((rule: Parameters<typeof permissionsOf>[0]) => permissionsOf(rule, undefined)),
    ...permissionsIn(own),
  ];
}

const named = (rules: readonly RbacRule[]) =>
  rules
    .flatMap((rule) => permissionsOf(rule, undefined))
    .map(nameOf)
    .sort();

describe('a component grants exactly the permissions that the code declares:', () => {
  it.each(foldersOf('components'))('%s', (component) => {
    const rules = features[basename(component)] ?? expect.fail('no feature needs it');
    expect(granted(component).map(nameOf).sort()).toEqual(named(rules));
  });

  it('the base has the permissions to find stuck pods and verify the result', () => {
    const base = parseAllDocuments(readFileSync(`${folder('base')}/rbac.yaml`, 'utf8')).map((each) =>
      each.toJS(),
    );
    const { pods, namespaces, jobs, nodes } = needs;
    const rules = [pods, namespaces, jobs, nodes].flatMap((need) => [
      ...need.rules,
      ...('bulk' in need ? need.bulk.rules : []),
    ]);
    expect(permissionsIn(base).map(nameOf).sort()).toEqual(named(rules));
  });
});
