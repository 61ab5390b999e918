import { createHash } from 'node:crypto';

/** The images in the recordings, with the IDs they have there. */
const RECORDED: Record<string, string> = {
  'docker.io/local/busybox:1': '734cfc34aa90405e503e2f40d4a11438978947f36d1341ba562994300f55c47d',
  'docker.io/local/distroless-sidecar:1': '0dec9701ddaeb462294ea5afc290a5cf313ad850809270b889185a4959a0adf4',
  'docker.io/local/nop:1': 'c640236596257aa08f699fa764fbcf03dd6a74408f62b4963ab9e38b8d473920',
  'docker.io/local/nopbare:1': 'e235ef19ef1a826db81d8667369e9363a9a6e3e03b4e64cc1584fe0a9f3e75a0',
};

/** An image's ID in containerd's form, derived from its name. */
export function imageID(image: string): string {
  return `sha256:${RECORDED[image] ?? createHash('sha256').update(image).digest('hex')}`;
}
