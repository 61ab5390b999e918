const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * Limits on input that others control, so that no tenant, server or file can exhaust the memory or the time of a sweep.
 * docs/reference/bounds.md says what happens beyond each of them (scripts/bounds-table.ts).
 */
export const bounds = {
  /** Bytes of what is kept of one pod: its texts, and some for each of them and for each entry of a list. */
  pod: 128 * KiB,
  /** Bytes of an annotation, variable or argument, which is cut there. What has a meaning is shorter, but for lists of names. */
  value: 8 * KiB,
  /** Bytes of all stuck pods that a sweep holds at a time. */
  stuckPods: 48 * MiB,
  /** Bytes of the pods whose judgment waits for a Job, a node or a namespace. */
  waitingPods: 8 * MiB,
  /** Regular containers of a pod. Real ones have fewer than twenty; a kubelet runs 110 pods by default. */
  containers: 256,
  /** Names in one list: no more than there can be containers. */
  names: 256,
  /** Characters of an image: 255 for the repository, 128 for the tag, the rest for registry and digest. */
  image: 1_024,
  /** Characters of a text that is quoted: Kubernetes allows 253 in most names. */
  text: 253,
  /** Problems in one message. */
  problems: 8,
  /** Bytes of an annotation with a command or steps; a list of sixteen steps, the most that is read, fits well. */
  instructions: 4_096,
  /** Words of a command in an annotation. */
  words: 64,
  /** Words of a container's command, and of its arguments, that are read. */
  arguments: 1_024,
  /** Steps for the sidecars of a pod. A sweep waits for each of them, so that it could not take more. */
  steps: 512,
  /** Ephemeral containers of a pod, above which none is added: they are permanent, and each sweep would add one. */
  ephemeralContainers: 8,
  /** Warnings of one kind, so that none hides those of another kind. */
  warningsOfKind: 100,
  /** Bytes of what is kept of a Job. */
  job: 32 * KiB,
  /** Pods of a Job, or failed pods of the Jobs of a namespace, that are read to learn how Jobs react: no more than a moment's work. */
  jobPods: 10_000,
  /** Bytes of the output of a command in a container, and of each line of a log. */
  output: 1_024,
  logLine: 1_024,
  /** Bytes of a frame of a WebSocket. */
  frame: 256 * KiB,
  /** Bytes of an object: the API server stores none of more than 1.5 MiB, but JSON may need a few more to say the same. */
  object: 2 * MiB,
  /** Bytes of a Status, and of whatever else has a message for people. */
  message: 64 * KiB,
  /** Bytes of the headers of an answer: the Warnings of the API server alone have up to 16 KiB, which is all that Node takes by default. */
  headers: 64 * KiB,
  /** Bytes of a list without a pod in them. */
  betweenPods: 64 * MiB,
  /** Items of a list: several times as many as the largest clusters have (https://kubernetes.io/docs/setup/best-practices/cluster-large/). */
  items: 1_000_000,
  /** Items of a list of pods that are not pods, or not those that were asked for. */
  malformed: 10_000,
  /** Pages of a list: a million pods have as many. */
  pages: 2_000,
  /** Characters of the token of a page: the API server's own have some 500, for a name, its namespace and a version in base64. */
  token: 4_096,
  /** Bytes of a kubeconfig: one with a thousand clusters and their certificates fits in. */
  kubeconfig: 16 * MiB,
  /** Bytes of another file that it names: all certificate authorities of a Linux system fit in. */
  credential: MiB,
  /** Milliseconds for reading one of these files. */
  fileTime: 10_000,
  /** Bytes that a credential plugin prints, and that it asks a person. */
  pluginOutput: MiB,
  pluginQuestions: 16 * KiB,
} as const;

/** A tenant's text, cut because it is repeated for every container or step. */
export function shortened(text: string, most: number = bounds.text): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** The first of several problems in one line, and how many more there are. */
export function summarized(problems: readonly string[]): string {
  const first = problems.slice(0, bounds.problems).map((problem) => shortened(problem));
  const more = problems.length - first.length;
  return first.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
