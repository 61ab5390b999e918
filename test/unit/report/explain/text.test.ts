import { describe, expect, it } from 'vitest';
import { explain } from '../../../../src/judge/explain.ts';
import { reportExplanation } from '../../../../src/report/explain/explanation.ts';
import { renderExplanation } from '../../../../src/report/explain/text.ts';
import type { PodView } from '../../../../src/vocabulary.ts';
import { container, exited, nativeSidecar, now, podView, running } from '../../../builders/pod-view.ts';
import { noFacts, policy } from '../../../builders/policy.ts';
import { plain } from '../../../builders/style.ts';

const cluster = { context: 'kind', server: 'https://127.0.0.1:6443' };

/** The paragraphs of the explanation of a pod, in lines. */
function paragraphsOf(pod: PodView, verbose = false): readonly (readonly string[])[] {
  const explanation = explain(pod, policy(), now, noFacts);
  const report = reportExplanation(explanation, { cluster, asOf: now, warnings: [], plan: undefined });
  const text = renderExplanation(report, plain, { verbose });
  return text.split('\n\n').map((paragraph) => paragraph.split('\n'));
}

describe('the explanation of a pod', () => {
  const containers = [container('main', exited(0)), container('sidecar', running)];
  const [about, table, checks] = paragraphsOf(
    podView({ containers, nativeSidecars: [nativeSidecar('mesh', { image: 'm' })] }),
  );

  it('begins with the verdict', () => {
    expect(about?.[0]).toBe('demo/work-x2k9p has been stuck for 1h on sidecar: a sweep would act on it');
    expect(about?.[1]).toMatch(/^phase Running, restartPolicy Never, owned by Job work, on node node1$/);
  });

  it('has a row for each container', () => {
    expect(table?.[0]).toMatch(/^CONTAINER +ROLE +STATE +EVIDENCE$/);
    expect(table?.[1]).toMatch(/^main +main +exited 0 1h ago +\S.*$/);
    expect(table?.[2]).toMatch(/^sidecar +sidecar +running for 2h +sidecar-sweeper\.dev\/sidecars$/);
    expect(table?.[3]).toMatch(/^mesh +native sidecar +an init container .*$/);
  });

  it('has a row for each check that did not pass, with its page, and counts the others', () => {
    expect(checks).toEqual([expect.stringMatching(/^\d\d checks passed \(-v lists them\)$/), '']);
    const [, , deleted] = paragraphsOf(podView({ deleting: true }));
    expect(deleted?.[0]).toMatch(/^CHECK +RESULT +SEE$/);
    expect(deleted?.slice(1, -1)).toEqual([
      expect.stringMatching(/^BeingDeleted +it is being deleted +docs\/reasons\/BeingDeleted\.md$/),
      expect.stringMatching(/^\d\d checks passed/),
    ]);
  });

  it('has a row for each check with --verbose', () => {
    const [, , all] = paragraphsOf(podView(), true);
    expect(all?.[0]).toMatch(/^CHECK +RESULT +SEE$/);
    expect(all?.slice(1).filter((line) => !/^\w+ +passed$/.test(line))).toEqual(['']);
  });
});
