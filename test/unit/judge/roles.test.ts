import { describe, expect, it } from 'vitest';
import { assignRoles } from '../../../src/judge/roles.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import type { Evidence, PodView, Role } from '../../../src/types.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';

const istio = container('istio-proxy', running, { image: 'docker.io/istio/proxyv2:1.27.0' });

/** `main` beside `sidecar`, and the annotations that are to be understood. */
function annotated(annotations: PodView['annotations'], containers?: PodView['containers']): PodView {
  return podView(containers ? { annotations, containers } : { annotations });
}

function rolesOf(pod: PodView): Record<string, readonly [Role, Evidence['kind']]> {
  const judged = assignRoles(pod, catalogue);
  return Object.fromEntries(
    judged.map(({ container, role, because }) => [container.name, [role, because.kind]]),
  );
}

describe('a container is a sidecar', () => {
  it.each([
    'sidecar-sweeper.dev/sidecars',
    'nrmitchi.com/sidecars',
    'lemonade.com/sidecars',
    'pod.kubernetes.io/sidecars',
    'riskified.com/sidecars',
  ])('when %s lists it', (key) => {
    const [main, sidecar] = assignRoles(annotated({ [key]: 'other, sidecar' }), []);
    expect(main).toMatchObject({ role: 'Main', because: { kind: 'NoEvidence' } });
    expect(sidecar).toMatchObject({ role: 'Sidecar', because: { kind: 'Annotation', key } });
  });

  it('when it has a kill command, be it a bad one', () => {
    const key = 'workflows.argoproj.io/kill-cmd-sidecar';
    const [main, sidecar] = assignRoles(annotated({ [key]: 'not JSON' }), []);
    expect(main?.role).toBe('Main');
    expect(sidecar).toMatchObject({ role: 'Sidecar', because: { kind: 'KillCommand', key } });
  });

  it('when the catalogue knows its name and its image', () => {
    expect(rolesOf(annotated({}, [container('main', exited()), istio]))).toEqual({
      main: ['Main', 'NoEvidence'],
      'istio-proxy': ['Sidecar', 'Catalogue'],
    });
  });

  it('when the mains are listed and it is not among them', () => {
    const pod = annotated({ 'riskified.com/main_sidecars': 'main' });
    expect(rolesOf(pod)).toEqual({ main: ['Main', 'Annotation'], sidecar: ['Sidecar', 'Annotation'] });
  });
});

describe('a container is a main', () => {
  it('when nothing speaks of it', () => {
    expect(rolesOf(annotated({}))).toEqual({ main: ['Main', 'NoEvidence'], sidecar: ['Main', 'NoEvidence'] });
  });

  it('when no list is there, whatever its name: what is absent names nobody', () => {
    const pod = annotated({}, [container('', running), container('undefined', running)]);
    expect(rolesOf(pod)).toEqual({ '': ['Main', 'NoEvidence'], undefined: ['Main', 'NoEvidence'] });
  });

  it('when only its name is that of a known sidecar', () => {
    const pod = annotated({}, [container('istio-proxy', running, { image: 'acme/batch:7' })]);
    expect(rolesOf(pod)).toEqual({ 'istio-proxy': ['Main', 'NoEvidence'] });
  });

  it('when only its image is that of a known sidecar', () => {
    const pod = annotated({}, [{ ...istio, name: 'main' }]);
    expect(rolesOf(pod)).toEqual({ main: ['Main', 'NoEvidence'] });
  });

  it('when a list of sidecars names others', () => {
    expect(rolesOf(annotated({ 'nrmitchi.com/sidecars': 'logging' })).sidecar).toEqual([
      'Main',
      'NoEvidence',
    ]);
  });

  it('when the list of mains names it, whatever the catalogue and a kill command say', () => {
    const pod = annotated(
      {
        'riskified.com/main_sidecars': 'istio-proxy',
        'workflows.argoproj.io/kill-cmd-istio-proxy': '["true"]',
      },
      [istio, container('logging', running)],
    );
    expect(rolesOf(pod)).toEqual({
      'istio-proxy': ['Main', 'Annotation'],
      logging: ['Sidecar', 'Annotation'],
    });
  });

  it('when the list of mains names nobody of the pod: a slip of the pen ends nothing', () => {
    expect(rolesOf(annotated({ 'riskified.com/main_sidecars': 'mian' }))).toEqual({
      main: ['Main', 'NoEvidence'],
      sidecar: ['Main', 'NoEvidence'],
    });
  });

  it('when a kill command is for a container that the pod does not have', () => {
    const pod = annotated({ 'workflows.argoproj.io/kill-cmd-nosuch': '["true"]' });
    expect(rolesOf(pod).main).toEqual(['Main', 'NoEvidence']);
  });
});

describe('of several sources', () => {
  it('the first that speaks gives the evidence: our list before a peer’s', () => {
    const pod = annotated({ 'nrmitchi.com/sidecars': 'sidecar', 'sidecar-sweeper.dev/sidecars': 'sidecar' });
    expect(assignRoles(pod, catalogue)[1]?.because).toEqual({
      kind: 'Annotation',
      key: 'sidecar-sweeper.dev/sidecars',
    });
  });

  it('a list of sidecars comes before a list of mains', () => {
    const pod = annotated({ 'nrmitchi.com/sidecars': 'main', 'riskified.com/main_sidecars': 'main' });
    expect(rolesOf(pod).main).toEqual(['Sidecar', 'Annotation']);
  });
});

it('the roles come in the order of the spec, one for every container', () => {
  const names = ['c', 'a', 'b'];
  const pod = annotated(
    {},
    names.map((name) => container(name, running)),
  );
  expect(assignRoles(pod, catalogue).map(({ container }) => container.name)).toEqual(names);
});

it('annotations called as members of every object give no role', () => {
  const pod = annotated({}, [container('constructor', running), container('tostring', running)]);
  expect(rolesOf(pod)).toEqual({
    constructor: ['Main', 'NoEvidence'],
    tostring: ['Main', 'NoEvidence'],
  });
});
