import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/model/verdict.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { adviseOwner } from '../../../src/report/advise.ts';
import { container, exited, hour, now, podView, running } from '../../builders/pod-view.ts';
import { cronJob, stuck, stuckOn, stuckOnIstio, versions } from '../../builders/stuck.ts';

const current = versions('v1.34.0', 'v1.34.0');
const advise = (candidates: readonly Candidate[], origin = cronJob(), cluster = current) =>
  adviseOwner({ origin, candidates }, cluster, catalogue);

describe('advice for an owner', () => {
  it('is about each sidecar once, however many pods have it', () => {
    const earlier = stuck({
      containers: [container('main', exited(0, now - 3 * hour)), container('sidecar', running)],
    });
    const { sidecars, cures, stuckSince } = advise([stuck(), earlier]);
    expect(sidecars).toMatchObject([{ name: 'sidecar', why: [{ kind: 'InTemplate' }] }]);
    expect(cures).toHaveLength(1);
    expect(stuckSince).toBe(new Date(now - 3 * hour).toISOString());
  });

  it('has one patch for all sidecars of a CronJob, and its source', () => {
    const { cures } = advise([stuck()]);
    expect(cures).toMatchObject([
      {
        containers: ['sidecar'],
        does: 'move sidecar from containers to initContainers, with restartPolicy: Always, in the pod template of CronJob report',
        first: [],
        command: expect.stringMatching(/^kubectl patch cronjob report -n demo --type=json -p '\[/),
        source: 'kubernetes/enhancements#753',
      },
    ]);
  });

  it('prints no patch that an API server before 1.29 would take for an ordinary init container', () => {
    const [cure] = advise([stuck()], cronJob(), versions('v1.28.4')).cures;
    expect(cure?.first).toEqual(['upgrade the API server (v1.28.4) to 1.29 or later']);
    expect([cure?.patch, cure?.command]).toEqual([undefined, undefined]);
  });

  it('has the flags of the proxy as well where native sidecars do not work yet', () => {
    const image = 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.5.0';
    const one = stuckOn('cloud-sql-proxy', image);
    const origin = cronJob({ containers: ['main', 'cloud-sql-proxy'] });
    const does = advise([one], origin, versions('v1.27.0')).cures.map((cure) => cure.does.slice(0, 20));
    expect(does).toEqual(['move cloud-sql-proxy', 'start the proxy with']);
    expect(advise([one], origin).cures).toHaveLength(1);
  });

  it('for a Job changes the manifest, because its template cannot be changed', () => {
    const [cure] = advise([stuck()], { ...cronJob(), kind: 'Job', name: 'once' }).cures;
    expect(cure?.does).toContain('the template of a Job that exists cannot be changed');
    expect(cure?.command).toMatch(
      /^kubectl patch --local -f job\.yaml --type=json -p .*"\/spec\/template\/spec\//,
    );
    expect(cure?.patch?.map(({ path }) => path)).not.toContain('/metadata/uid');
  });

  it('for a bare pod changes the manifest, unless what injectors added hides it', () => {
    const origin = { ...cronJob(), kind: 'Pod', reading: undefined };
    const bare = podView({ owner: undefined });
    const [cure] = advise([stuck(bare)], origin).cures;
    expect(cure?.command).toMatch(/^kubectl patch --local -f pod\.yaml .*"\/spec\/containers\/1\/name"/);
    const istio = container('istio-proxy', running, { image: 'istio/proxyv2:1.27.0' });
    const annotations = { ...bare.annotations, 'sidecar.istio.io/status': '{"containers":["istio-proxy"]}' };
    const both = stuck({ ...bare, annotations, containers: [...bare.containers, istio] });
    expect(advise([both], origin).cures[0]).toMatchObject({ containers: ['sidecar'] });
    expect(advise([both], origin).cures[0]?.command).toBeUndefined();
  });

  it('for another owner, or one that cannot be read, says where to look', () => {
    const { cures } = advise([stuck()], { ...cronJob(), kind: 'JobSet', reading: undefined });
    expect(cures).toMatchObject([
      {
        does: expect.stringContaining('in the pod template of JobSet report'),
        first: ['see whether that template has it (the template of a JobSet is not read)'],
      },
    ]);
  });
});

describe('advice for what was injected', () => {
  const injected = cronJob({ containers: ['main'], annotations: undefined });

  it('sets the switch in the CronJob, by a command, and names the other ones', () => {
    const { cures } = advise([stuckOnIstio('1.27.0')], injected);
    expect(cures[0]).toMatchObject({
      containers: ['istio-proxy'],
      does: 'set the annotation sidecar.istio.io/nativeSidecar: "true", in the pod template of CronJob report',
      command: expect.stringContaining(
        '/metadata/annotations","value":{"sidecar.istio.io/nativeSidecar":"true"}}',
      ),
    });
    expect(cures[1]?.does).toContain('kubelet of 1.33 or later');
    expect(cures.every(({ source, changes }) => source !== '' && changes !== '')).toBe(true);
  });

  it('says for which versions each switch is if the version is unknown', () => {
    const { cures } = advise([stuckOnIstio('latest')], injected);
    expect(cures.map((one) => one.versions)).toContain('from 1.19 on, before 1.27');
    expect(advise([stuckOnIstio('1.20.0')], injected).cures.map((one) => one.versions)).toEqual([undefined]);
  });

  it('does not set a switch again that the injector did not heed', () => {
    const set = stuckOnIstio('1.26.0', { 'sidecar.istio.io/nativeSidecar': 'true' });
    const [cure] = advise([set], injected).cures;
    expect(cure?.does).toMatch(/^upgrade the injector, .*sidecar\.istio\.io\/nativeSidecar is set/);
    expect(cure?.command).toBeUndefined();
  });

  it('for Vault has the setting that leaves the sidecar out', () => {
    const annotations = { 'vault.hashicorp.com/agent-inject-status': 'injected' };
    const one = stuckOn('vault-agent', 'docker.io/hashicorp/vault:1.17.2', annotations);
    const { cures } = advise([one], injected);
    expect(cures.map(({ does }) => does)).toEqual([
      expect.stringContaining('agent-pre-populate-only: "true"'),
      expect.stringContaining('agent-enable-quit: "true"'),
    ]);
  });

  it('is a kill command where nothing better is known, and a sweep where the catalogue has one', () => {
    const { cures } = advise([stuck()], injected);
    expect(cures).toMatchObject([{ does: expect.stringContaining('sidecar-sweeper.dev/kill-cmd-sidecar') }]);
    const sweeping = { does: expect.stringContaining('keep sweeping'), source: 'fluent/fluent-bit#2411' };
    const fluentBit = stuckOn('fluent-bit', 'docker.io/fluent/fluent-bit:4.1');
    expect(advise([fluentBit], injected).cures).toMatchObject([sweeping]);
  });
});
