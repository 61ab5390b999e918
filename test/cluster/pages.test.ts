import { describe, expect, it } from 'vitest';
import { PageCluster } from '../../scripts/demo/page-cluster.ts';
import { blocksOf, normalise, pages, runAgain } from '../../scripts/demo/pages.ts';
import { startedOnce } from '../kit/started.ts';

const shown = await Promise.all(pages.map(async (page) => [page, await blocksOf(page)] as const));
const withOutput = shown.filter(([, blocks]) => blocks.length > 0);

describe('the pages show what their commands print:', () => {
  const cluster = startedOnce(() => PageCluster.start());

  it.each(withOutput)('%s', async (_page, blocks) => {
    for (const block of blocks) expect(normalise(await runAgain(block, cluster))).toBe(normalise(block));
  });
});

it('some pages show output', () => {
  expect(withOutput.map(([page]) => page)).toContain('README.md');
});
