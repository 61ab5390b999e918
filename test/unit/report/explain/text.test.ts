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
function paragraphsOf(pod: PodView): readonly (readonly string[])[] {
  const explanation = explain(pod, policy(), now, noFacts);
  const report = reportExplanation(explanation, { cluster, asOf: now, warnings: [], plan: undefined });
  const text = renderExplanation(report, plain);
  return text.split('\n\n').map((paragraph) => paragraph.split('\n'));
}

describe('the explanation of a pod', () => {
  const containers = [container('main', exited(0)), container('sidecar', running)];
  const [about, table, checks] = paragraphsOf(
    podView({ containers, nativeSidecars: [nativeSidecar('mesh', { image: 'm' })] }),
  );

  it('begins with the verdict', () => {
    expect(about?.[0]).toBe('demo/work-x2k9p has been stuck for 1h: a sweep would act on it');
    expect(about?.[1]).toMatch(/^phase Running, restartPolicy Never, owned by Job work, on node node1$/);
  });

  it('has a row for each container', () => {
    expect(table?.[0]).toMatch(/^CONTAINER +ROLE +STATE +EVIDENCE$/);
    expect(table?.[1]).toMatch(/^main +main +exited 0 1h ago +\S.*$/);
    expect(table?.[2]).toMatch(/^sidecar +sidecar +running for 2h +sidecar-sweeper\.dev\/sidecars$/);
    expect(table?.[3]).toMatch(/^mesh +native sidecar +an init container .*$/);
  });

  it('has a row for each check, with the page of those that did not pass', () => {
    expect(checks?.[0]).toMatch(/^CHECK +RESULT +SEE$/);
    expect(checks?.slice(1).filter((line) => !/^\w+ +passed$/.test(line))).toEqual(['']);
    const [, , young] = paragraphsOf(podView({ deleting: true }));
    const failed = young?.slice(1, -1).filter((line) => !line.endsWith(' passed'));
    expect(failed).toEqual([
      expect.stringMatching(/^BeingDeleted +it is being deleted +docs\/reasons\/BeingDeleted\.md$/),
    ]);
  });
});
