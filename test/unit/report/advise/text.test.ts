import { describe, expect, it } from 'vitest';
import { adviseOwner } from '../../../../src/advise/owner.ts';
import type { Candidate } from '../../../../src/model/verdict.ts';
import { catalogue } from '../../../../src/policy/catalogue.ts';
import { AdviceFold } from '../../../../src/report/advise/advice.ts';
import { renderAdvice } from '../../../../src/report/advise/text.ts';
import { container, now, waiting } from '../../../builders/pod-view.ts';
import { listed } from '../../../builders/report.ts';
import { cronJob, stuck, stuckOnIstio, versions } from '../../../builders/stuck.ts';
import { plain } from '../../../builders/style.ts';

const where = { context: 'kind', server: 'https://127.0.0.1:6443' };

function adviceOn(candidate: Candidate, origin = cronJob()) {
  const fold = new AdviceFold();
  for (const event of listed(candidate)) fold.hear(event);
  const cluster = versions('v1.34.0', 'v1.34.0', 'v1.34.0', 'v1.28.1');
  return fold.report(where, now, cluster, [
    adviseOwner({ origin, candidates: [candidate] }, cluster, catalogue),
  ]);
}

describe('the advice', () => {
  it('is a paragraph for each owner: why, the cure, what it changes, its source, and a command to copy', () => {
    const lines = renderAdvice(adviceOn(stuck()), plain).split('\n');
    expect(lines).toEqual([
      'CronJob demo/report: 1 pod stuck for 1h',
      '  sidecar (docker.io/local/busybox:1):',
      '    the template has it under containers, so the pod waits for it',
      expect.stringMatching(/^ {2}cure for sidecar: move sidecar from containers to initContainers, /),
      '    first: upgrade the nodes that are older than 1.29: c (v1.28.1)',
      expect.stringMatching(/^ {4}changes: every pod made from then on/),
      '    source: kubernetes/enhancements#753',
      expect.stringMatching(/^kubectl patch cronjob report -n demo --type=json -p '.*'$/),
      '',
      '1 pod listed, 1 stuck, of 1 owner',
      '',
    ]);
  });

  it('says for which versions a cure is if that of the sidecar is unknown', () => {
    const text = renderAdvice(adviceOn(stuckOnIstio('latest'), cronJob({ containers: ['main'] })), plain);
    expect(text).toContain('cure for istio-proxy (its version is unknown; this is for those from 1.24 on): ');
  });

  it('has the versions of the cluster, and how many nodes run which', () => {
    expect(adviceOn(stuck()).cluster).toEqual({
      ...where,
      version: 'v1.34.0',
      kubelets: { 'v1.28.1': 1, 'v1.34.0': 2 },
    });
  });

  it('tells of pods that wait for a sidecar to start, on which there is no advice', () => {
    const { pod, ...rest } = stuck();
    const waits = container('sidecar', waiting('ImagePullBackOff'));
    const sidecars = rest.sidecars.map((one) => ({ ...one, container: waits }));
    const fold = new AdviceFold();
    fold.hear({ kind: 'PodJudged', verdict: { ...rest, pod, sidecars, kind: 'NeverStarted' } });
    const text = renderAdvice(fold.report(where, now), plain);
    expect(text).toMatch(/^never started: demo\/work-x2k9p: sidecar is waiting \(ImagePullBackOff\)/);
  });

  it('is short if nothing is stuck', () => {
    const advice = new AdviceFold().report(where, now);
    expect(renderAdvice(advice, plain)).toBe('0 pods listed, 0 stuck\n');
  });
});
