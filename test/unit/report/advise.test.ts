import { describe, expect, it } from 'vitest';
import { admissionPolicyFor } from '../../../src/advice/admission-policy.ts';
import { describeWhy, type WhyStuck } from '../../../src/advice/cause.ts';
import type { Candidate } from '../../../src/model/verdict.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { adviceView, adviseOwner, reportAdvice } from '../../../src/report/advise.ts';
import { JudgedPods } from '../../../src/report/judged-pods.ts';
import { viewText } from '../../../src/report/view.ts';
import { container, now, waiting } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';
import { plain, renderAdvice } from '../../builders/rendered.ts';
import { listed } from '../../builders/report.ts';
import { cronJob, stuck, stuckOnIstio, versions } from '../../builders/stuck.ts';

const where = { context: 'kind', server: 'https://127.0.0.1:6443' };

function adviceOn(candidate: Candidate, origin = cronJob()) {
  const found = new JudgedPods(() => undefined);
  for (const event of listed(candidate)) found.hear(event);
  const cluster = versions('v1.34.0', 'v1.34.0', 'v1.34.0', 'v1.28.1');
  const owners = [adviseOwner({ origin, candidates: [candidate] }, cluster, catalogue)];
  return reportAdvice(found, where, policy(), now, { owners });
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
      expect.stringMatching(/^ {4}changes: every pod created from then on/),
      '    source: kubernetes/enhancements#753',
      expect.stringMatching(/^kubectl patch cronjob report -n demo --type=json -p '.*'$/),
      '',
      '1 pod listed, 1 stuck, of 1 owner.',
      '',
    ]);
  });

  it('says for which versions a cure is if that of the sidecar is unknown', () => {
    const text = renderAdvice(adviceOn(stuckOnIstio('latest'), cronJob({ containers: ['main'] })), plain);
    expect(text).toContain('cure for istio-proxy (its version is unknown; this is for those from 1.24 on): ');
  });

  it('is told once for all owners whose templates are alike, with the command for the first', () => {
    const [owner] = adviceOn(stuck()).owners;
    if (!owner) expect.fail('no owner');
    const owners = Array.from({ length: 5 }, (_, number) => {
      const name = `report-${number}`;
      const cures = owner.cures.map((cure) => ({
        ...cure,
        does: `${cure.does} of ${name}`,
        ...(cure.command !== undefined && { command: cure.command.replaceAll('report', name) }),
      }));
      return { ...owner, name, cures };
    });
    const text = renderAdvice({ ...adviceOn(stuck()), owners }, plain);
    expect(text).toMatch(
      /^5 CronJobs: 5 pods stuck, the first for 1h\n {2}CronJobs: demo\/report-0, demo\/report-1, demo\/report-2 and 2 more; what follows is about the first$/m,
    );
    expect(text.match(/^ {2}cure for/gm)).toHaveLength(1);
    expect(text.match(/^kubectl patch cronjob report-0 /gm)).toHaveLength(1);
    expect(text).toContain('4 others are similar (-o wide shows each command)');
    const all = renderAdvice({ ...adviceOn(stuck()), owners }, { ...plain, wide: true });
    expect(all.match(/^kubectl patch cronjob report-\d /gm)).toHaveLength(5);
  });

  it('has commands for the same cluster; only the caller knows the flags that print the policy again', () => {
    const candidates = [stuck()];
    const origin = cronJob();
    const admission = admissionPolicyFor([{ origin, candidates }], versions('v1.36.0', 'v1.36.0'), catalogue);
    const view = adviceView({ ...adviceOn(stuck()), admission }, plain, 'kubectl --context west');
    const text = viewText(view, plain);
    expect(text).toContain('to print it for kubectl apply -f: add -o admission-policy to this command\n');
    expect(text).toContain(
      '\nkubectl --context west label namespace demo sidecar-sweeper.dev/native-sidecars=enabled\n',
    );
    expect(text).not.toContain('sidecar-sweeper advise');
  });

  it('tells of pods that wait for a sidecar to start, on which there is no advice', () => {
    const { pod, ...rest } = stuck();
    const waits = container('sidecar', waiting('ImagePullBackOff'));
    const sidecars = rest.sidecars.map((one) => ({ ...one, container: waits }));
    const found = new JudgedPods(() => undefined);
    found.hear({ kind: 'PodJudged', verdict: { ...rest, pod, sidecars, kind: 'NeverStarted' } });
    const text = renderAdvice(reportAdvice(found, where, policy(), now), plain);
    expect(text).toMatch(
      /^1 pod stuck on a sidecar that never started, for 1h: sidecar \(\S+\) is waiting: ImagePullBackOff: demo\/work-x2k9p/,
    );
  });

  it('is short if nothing is stuck', () => {
    const advice = reportAdvice(new JudgedPods(() => undefined), where, policy(), now);
    expect(renderAdvice(advice, plain)).toBe('No pod in any namespace of context kind could be stuck.\n');
  });
});

const nodes = [{ name: 'a', kubelet: 'v1.32.0' }];

// biome-ignore format: one row a line
it.each<readonly [WhyStuck, string]>([
  [{ kind: 'InTemplate' }, 'the template has it under containers, so the pod waits for it'],
  [{ kind: 'AlwaysOnRegular' }, 'its restartPolicy: Always only restarts it, because it is not an init container'],
  [{ kind: 'AlreadyNative' }, 'the template now has it as a native sidecar, but these pods are older'],
  [{ kind: 'NotInTemplate' }, 'it is not in the template: something injected it, as a regular container'],
  [{ kind: 'TemplateUnknown', problem: 'forbidden' }, 'where it comes from is unknown (forbidden)'],
  [{ kind: 'SwitchUnset', key: 'k' }, 'k is not set'],
  [{ kind: 'SwitchUnread', key: 'k', meant: 'key' }, 'the pod has k, which this version does not read; it reads key'],
  [{ kind: 'SwitchOff', key: 'k', value: 'no' }, 'k is "no"'],
  [{ kind: 'SwitchIgnored', key: 'k' }, 'k is set, but the injector ignored it: check its version'],
  [{ kind: 'OldNodes', kubelet: '1.33', nodes, more: 1 }, 'nodes have kubelets older than 1.33: a (v1.32.0) and 1 more'],
])('%j reads: %s', (why, text) => {
  expect(describeWhy(why)).toBe(text);
});
