import { expect, it } from 'vitest';
import { remarksOn } from '../../../src/judge/roles.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { Remark } from '../../../src/model/verdict.ts';
import { initContainer, nativeSidecar, podView } from '../../builders/pod-view.ts';

const ofEveryTool = {
  'sidecar-sweeper.dev/main': 'a',
  'lemonade.com/sidecars': 'b',
  'pod.kubernetes.io/sidecars': 'c',
  'riskified.com/sidecars': 'd',
  'riskified.com/main_sidecars': 'e',
  'kubectl.kubernetes.io/default-container': 'f',
};
const own = 'sidecar-sweeper.dev/sidecars';
const both: Remark = { kind: 'NamedAsBoth', container: 'main' };
const unknownContainer = (key: string, container: string): Remark => {
  return { kind: 'UnknownContainer', key, container };
};

// biome-ignore format: one row a line
it.each<readonly [title: string, annotations: PodView['annotations'], remarks: readonly Remark[]]>([
  ['nothing without annotations', {}, []],
  ['nothing about a correct list', { 'nrmitchi.com/sidecars': ' sidecar ,' }, []],
  ['each unknown name', { [own]: 'sidcar, sidecar,logs' }, [unknownContainer(own, 'sidcar'), unknownContainer(own, 'logs')]],
  ['unknown names in every known list', ofEveryTool, Object.entries(ofEveryTool).map(([key, name]) => unknownContainer(key, name))],
  [
    'nothing about native sidecars, init and ephemeral containers, which exist but have no role',
    { 'nrmitchi.com/sidecars': 'native,setup,debug' },
    [],
  ],
  ['nothing about unknown lists', { 'acme.io/sidecars': 'nobody' }, []],
  [
    'once that a container is named as both',
    {
      'sidecar-sweeper.dev/main': 'main',
      'riskified.com/main_sidecars': 'main',
      [own]: 'main,sidecar',
      'nrmitchi.com/sidecars': 'main',
    },
    [both],
  ],
  ['that another tool’s lists contradict each other', { 'riskified.com/main_sidecars': 'main', 'riskified.com/sidecars': 'main' }, [both]],
  [
    'that Istio’s status cannot be read',
    { 'sidecar.istio.io/status': 'injected' },
    [{ kind: 'Unreadable', key: 'sidecar.istio.io/status', problem: 'not a JSON object with a list of containers' }],
  ],
  ['nothing about an Istio status without injected containers', { 'sidecar.istio.io/status': '{"containers":null}' }, []],
])('remarks report %s', (_title, annotations, remarks) => {
  const pod = podView({
    annotations,
    nativeSidecars: [nativeSidecar('native')],
    initContainers: [initContainer('setup')],
    ephemeralContainers: ['debug'],
  });
  expect(remarksOn(pod)).toEqual(remarks);
});
