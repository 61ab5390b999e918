import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';
import packageLock from '../../../package-lock.json' with { type: 'json' };
import { root } from './project-files.ts';

const bom = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  components: z.array(z.object({ purl: z.string(), hashes: z.array(z.object({ content: z.string() })) })),
});

it('the SBOM has every package of the lockfile, with its checksum', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  const { components } = bom.parse(JSON.parse(stdout));
  const named = new Set(components.map(({ purl }) => purl.replace('%40', '@')));
  const locked = Object.entries(packageLock.packages).flatMap(([path, { version }]) =>
    path === '' ? [] : [`pkg:npm/${path.replace(/^.*node_modules\//, '')}@${version}`],
  );
  expect(locked.length).toBeGreaterThan(100);
  expect(locked.filter((purl) => !named.has(purl))).toEqual([]);
  expect(components.filter(({ hashes }) => hashes.length === 0)).toEqual([]);
});
