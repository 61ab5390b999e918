import { sidecarListKeys } from '../../../src/model/annotations.ts';
import type { JobManifest } from '../../kit/emulator/index.ts';
import { sidecars } from '../../kit/stuck-pods.ts';
import { images, jobOf, type TenantJob } from './tenants.ts';

const namespace = 'hostile';
const stepsKey = 'sidecar-sweeper.dev/steps-sidecar';

/** Names until this many bytes are full: as many as possible, because each may cost something. */
function names(bytes: number): string {
  return Array.from({ length: bytes / 2 }, (_, number) => String.fromCharCode(97 + (number % 26))).join(',');
}

function some(count: number, job: (number: number) => Omit<TenantJob, 'namespace'>): readonly JobManifest[] {
  return Array.from({ length: count }, (_, number) => jobOf({ ...job(number), namespace }));
}

const variables = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

/** Files times names make the steps: millions, of 12 KB. */
function stepsThatMultiply() {
  const env = variables({
    KUBEXIT_NAME: 'a',
    KUBEXIT_GRAVEYARD: names(6_000),
    KUBEXIT_DEATH_DEPS: names(6_000),
  });
  return some(3, (number) => ({ name: `multiplies-${number}`, sidecar: { env } }));
}

/** Lists of a hundred thousand names and more. */
function listsWithoutEnd() {
  const env = variables({ KUBEXIT_NAME: 'a', KUBEXIT_GRAVEYARD: '/g', KUBEXIT_DEATH_DEPS: names(250_000) });
  const annotations = { 'nrmitchi.com/sidecars': names(200_000) };
  return [
    ...some(2, (number) => ({ name: `variable-${number}`, sidecar: { env } })),
    ...some(2, (number) => ({ name: `list-${number}`, sidecar: {}, annotations })),
  ];
}

/** 240 KB of annotations, in which each of a thousand names is worth a remark, in sixteen pods. */
function annotationsWithoutEnd() {
  const list = Array.from({ length: 250 }, (_, number) => `nobody-${number}`.padEnd(230, '-')).join(',');
  const annotations = Object.fromEntries(sidecarListKeys.map((key) => [key, list]));
  return some(16, (number) => ({ name: `annotations-${number}`, sidecar: {}, annotations }));
}

/** An hour for a sidecar that takes it, in the pods' specs and in steps; some are of the images of others. */
function graceOfAnHour() {
  const steps = '[{ "signal": ["USR1"], "grace": "1h" }, { "signal": ["TERM"], "grace": "1h" }]';
  return some(6, (number) => ({
    name: `stubborn-${number}`,
    sidecar: { image: images[number] ?? 'docker.io/acme/own:1', args: [`--stubborn=${number}`] },
    behaviour: sidecars.stubborn,
    grace: 3_600,
    annotations: number % 2 === 0 ? { [stepsKey]: steps } : {},
  }));
}

/** Pods that fail, of the images of others: with arguments of their own, and with forged commands. */
function failingPodsOfTheImagesOfOthers() {
  return images.flatMap((image, of) =>
    some(4, (number) => ({
      name: `fails-${of}-${number}`,
      sidecar: { image, args: [`--like-nobody-${number}`] },
      behaviour: sidecars.unclean,
      annotations: number % 2 === 0 ? { 'sidecar-sweeper.dev/kill-cmd-sidecar': '["kill", "-9", "1"]' } : {},
    })),
  );
}

/** Files, requests and commands that no allowlist has. */
function stepsOutsideTheAllowlist() {
  const steps = [
    '[{ "tombstone": { "path": "$(WHERE)", "content": "* * * * * root true" } }]',
    '[{ "http": { "method": "POST", "port": 10250, "path": "/run", "headers": { "x": "y" } } }]',
    '[{ "command": ["sh", "-c", "true"] }]',
  ];
  return steps.flatMap((step, of) =>
    some(2, (number) => ({
      name: `asks-${of}-${number}`,
      sidecar: { env: variables({ WHERE: '/etc/cron.d/root' }) },
      annotations: { [stepsKey]: step },
    })),
  );
}

/** Everything that one tenant can do to all, in the order of the review. */
export const hostileTenant = (): readonly JobManifest[] => [
  ...stepsThatMultiply(),
  ...listsWithoutEnd(),
  ...annotationsWithoutEnd(),
  ...graceOfAnHour(),
  ...failingPodsOfTheImagesOfOthers(),
  ...stepsOutsideTheAllowlist(),
];
