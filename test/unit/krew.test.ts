import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The fields as krew documents them: https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest/ */
const expression = z.strictObject({
  key: z.enum(['os', 'arch']),
  operator: z.enum(['In', 'NotIn']),
  values: z.array(z.string()).min(1),
});
const plugin = z.strictObject({
  apiVersion: z.literal('krew.googlecontainertools.github.com/v1alpha2'),
  kind: z.literal('Plugin'),
  metadata: z.strictObject({ name: z.string().regex(/^[a-z0-9-]+$/) }),
  spec: z.strictObject({
    version: z.string().regex(/^v\d+\.\d+\.\d+$/),
    homepage: z.url(),
    shortDescription: z.string().max(50),
    description: z.string(),
    caveats: z.string().optional(),
    platforms: z
      .array(
        z.strictObject({
          selector: z.strictObject({ matchExpressions: z.array(expression).min(1) }),
          uri: z.url(),
          sha256: z.string().regex(/^[0-9a-f]{64}$/),
          files: z.array(z.strictObject({ from: z.string(), to: z.string() })).min(1),
          bin: z.string(),
        }),
      )
      .min(1),
  }),
});

it('the krew manifest has the fields that krew documents, and is of the version of the package', () => {
  const { metadata, spec } = plugin.parse(parse(read('manifests/krew/sweep-sidecars.yaml')));
  const { version, bin, engines } = JSON.parse(read('package.json'));
  expect(spec.version).toBe(`v${version}`);
  // kubectl reads an underscore as a dash.
  expect(bin).toHaveProperty(`kubectl-${metadata.name.replaceAll('-', '_')}`, 'dist/sidecar-sweeper.mjs');
  for (const { uri, bin: file, files } of spec.platforms) {
    expect(uri).toContain(`/v${version}/sidecar-sweeper-${version}.tgz`);
    expect(file).toBe('dist/sidecar-sweeper.mjs');
    expect(files).toContainEqual({ from: 'package/dist/*', to: 'dist' });
  }
  expect(spec.caveats).toContain(engines.node.replace('>=', ''));
});
