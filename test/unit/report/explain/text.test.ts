import { describe, expect, it } from 'vitest';
import { explain } from '../../../../src/judge/judge.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import type { PodPlan } from '../../../../src/plan/sweep-plan.ts';
import { reportExplanation } from '../../../../src/report/explain/explanation.ts';
import { renderExplanation } from '../../../../src/report/explain/text.ts';
import { planOf } from '../../../builders/planned.ts';
import { container, exited, nativeSidecar, now, podView, running } from '../../../builders/pod-view.ts';
import { noFacts, policy } from '../../../builders/policy.ts';
import { plain } from '../../../builders/style.ts';

const cluster = { context: 'kind', server: 'https://127.0.0.1:6443' };

/** The paragraphs of the explanation of a pod, in lines. */
function paragraphsOf(pod: PodView, verbose = false, plan?: PodPlan): readonly (readonly string[])[] {
  const explanation = explain(pod, policy(), now, noFacts);
  const report = reportExplanation(explanation, {
    cluster,
    asOf: now,
    warnings: [],
    plan,
    policy: policy(),
  });
  const text = renderExplanation(report, plain, { verbose });
  return text.split('\n\n').map((paragraph) => paragraph.split('\n'));
}

describe('the explanation of a pod', () => {
  const containers = [container('main', exited(0)), container('sidecar', running)];
  const [about, table, checks] = paragraphsOf(
    podView({
      containers,
      nativeSidecars: [nativeSidecar('mesh', { image: 'm' })],
      ephemeralContainers: ['debugger-x'],
    }),
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
    expect(table?.[4]).toMatch(/^debugger-x +ephemeral +neither .*: it does not keep the pod running$/);
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

  const answerOf = (pod: PodView) => paragraphsOf(pod, false, planOf(pod))[0]?.[0];

  it('says what a sweep would begin with, and of a step that only follows others that it may not be taken', () => {
    expect(answerOf(podView({ containers }))).toMatch(/ on sidecar: a sweep would signal TERM$/);
    const task = podView({ containers, owner: undefined, labels: { kubernetes_pod_operator: 'True' } });
    expect(answerOf(task)).toMatch(
      / on sidecar: a sweep would signal TERM, but only after another pod that is started alike ended with 0$/,
    );
  });

  it('begins with what does not carry the others', () => {
    const members = [
      container('main', exited(0)),
      container('istio-proxy', running, { image: 'istio/proxyv2' }),
      container('vault-agent', running, { image: 'hashicorp/vault' }),
    ];
    const pod = podView({ annotations: {}, containers: members });
    expect(answerOf(pod)).toMatch(/ on istio-proxy, vault-agent: a sweep would signal TERM$/);
    const steps = paragraphsOf(pod, false, planOf(pod))
      .flat()
      .filter((line) => / 1\. /.test(line));
    expect(steps.map((line) => line.trim().split(':')[0])).toEqual(['vault-agent', 'istio-proxy']);
  });

  it('has a row for each check with --verbose', () => {
    const [, , all] = paragraphsOf(podView(), true);
    expect(all?.[0]).toMatch(/^CHECK +RESULT +SEE$/);
    expect(all?.slice(1).filter((line) => !/^\w+ +passed$/.test(line))).toEqual(['']);
  });
});
