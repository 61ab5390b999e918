import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { methods } from '../../../src/methods/index.ts';
import { needs } from '../../../src/methods/permissions.ts';
import { nameOf, type Permission, permissionsIn, permissionsOf } from './permissions.ts';
import { folder, foldersOf } from './render.ts';

/** Components without permissions. */
const others = ['account-policy', 'pushgateway'];

/** The permissions that the code declares for each component. */
const wanted: Readonly<Record<string, readonly Permission[]>> = {
  ...Object.fromEntries(
    Object.values(methods).map(({ flag, rbac }) => [
      // Commands, signals and tombstones all use exec.
      rbac[0]?.resources[0] === 'pods/exec' ? 'exec' : flag,
      rbac.flatMap((rule) => permissionsOf(rule, undefined)),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(needs)
      // The base grants these.
      .filter(([name]) => !['look', 'namespaces', 'identity'].includes(name))
      .map(([name, need]) => {
        const rules = [...need.rules, ...('spares' in need ? need.spares.rules : [])];
        return [name, rules.flatMap((rule) => permissionsOf(rule, undefined))];
      }),
  ),
};

interface Patch {
  readonly target: { readonly kind: string };
  readonly patch: string;
}

/** The permissions that a component adds to the roles. */
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

describe('a component grants exactly the permissions that the code declares:', () => {
  it('every method and every other feature has one', () => {
    expect(foldersOf('components').map((path) => basename(path))).toEqual(
      [...Object.keys(wanted), ...others].sort(),
    );
  });

  it.each(foldersOf('components'))('%s', (component) => {
    const names = (wanted[basename(component)] ?? []).map(nameOf).sort();
    expect(names.length > 0).toBe(!others.includes(basename(component)));
    expect(granted(component).map(nameOf).sort()).toEqual(names);
  });

  it('the base has the permissions to list, judge and prove, and to read namespaces', () => {
    const base = parseAllDocuments(readFileSync(`${folder('base')}/rbac.yaml`, 'utf8')).map((each) =>
      each.toJS(),
    );
    const { look, namespaces } = needs;
    const rules = [...look.rules, ...namespaces.rules, ...namespaces.spares.rules];
    expect(permissionsIn(base)).toEqual(rules.flatMap((rule) => permissionsOf(rule, undefined)));
  });
});
