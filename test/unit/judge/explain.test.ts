import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/judge/explain.ts';
import { judge } from '../../../src/judge/judge.ts';
import { exclusions } from '../../builders/kinds.ts';
import { container, exited, now, podView, running } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

describe('an explanation', () => {
  it('has the same verdict as a sweep', () => {
    for (const pod of [podView(), podView({ deleting: true }), podView({ statusProblems: ['none'] })]) {
      expect(explain(pod, policy(), now, noFacts).verdict).toEqual(judge(pod, policy(), now, noFacts));
    }
  });

  it('has all evidence for every container, in the order of the spec', () => {
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'sidecar', 'nrmitchi.com/sidecars': 'sidecar' };
    const facts = { ...noFacts, jobContainers: new Map([[podView().owner?.uid ?? '', ['main']]]) };
    const { containers } = explain(podView({ annotations }), policy(), now, facts);
    expect(containers.map(({ container, evidence }) => [container.name, evidence])).toEqual([
      ['main', [{ role: 'Main', because: { kind: 'NoEvidence' } }]],
      [
        'sidecar',
        [
          { role: 'Sidecar', because: { kind: 'Annotation', key: 'sidecar-sweeper.dev/sidecars' } },
          { role: 'Sidecar', because: { kind: 'Annotation', key: 'nrmitchi.com/sidecars' } },
          { role: 'Sidecar', because: { kind: 'NotInJobTemplate', job: 'work' } },
        ],
      ],
    ]);
  });

  it('has the result of every check, including passed ones', () => {
    const containers = [container('main', exited(3)), container('sidecar', running)];
    const { checks } = explain(podView({ restartPolicy: 'OnFailure', containers }), policy(), now, noFacts);
    const kinds = Object.keys(exclusions).filter((kind) => kind !== 'NothingEnded');
    expect(checks.map(({ kind }) => kind).sort()).toEqual(kinds.sort());
    expect(checks.filter(({ found }) => found.length > 0)).toEqual([
      { kind: 'MainWillRestart', found: [{ kind: 'MainWillRestart', container: 'main', exitCode: 3 }] },
    ]);
  });

  it('has only the roles of a pod that cannot be judged, without checks', () => {
    const { checks, containers } = explain(
      podView({ statusProblems: ['container main has no status'] }),
      policy(),
      now,
      noFacts,
    );
    expect(checks).toEqual([]);
    expect(containers.map(({ evidence: [{ role }] }) => role)).toEqual(['Main', 'Sidecar']);
  });
});
