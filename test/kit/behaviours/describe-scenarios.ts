import { VersionApi } from '@kubernetes/client-node';
import { beforeAll, describe, it } from 'vitest';
import { scenarios, whyNot } from './scenarios.ts';
import { type Site, Stage } from './stage.ts';

/** Declares the tests of all scenarios at one site. They play side by side. */
export function describeScenarios(where: string, open: () => Promise<Site>): void {
  describe(`scenarios, ${where}`, () => {
    let site: Site;
    let version: string;
    beforeAll(async () => {
      site = await open();
      version = (await site.config.makeApiClient(VersionApi).getCode()).gitVersion;
    });

    for (const { title, needs, play } of scenarios) {
      it.concurrent(title, { timeout: 300_000 }, async ({ skip }) => {
        const reason = whyNot(needs, version);
        skip(reason !== undefined, reason);
        await Stage.play(site, play);
      });
    }
  });
}
