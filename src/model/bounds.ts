/**
 * Limits on input that tenants control. A pod over a limit is left alone, or its step is skipped, or its text is cut, so that one
 * tenant cannot slow down or fail the sweep of the others.
 */
export const bounds = {
  /** Bytes of what is kept of one pod: its texts, and some for each of them and for each entry of a list. */
  pod: 256 * 1024,
  /** Bytes of an annotation, variable or argument, which is cut there. What has a meaning is shorter, but for lists of names. */
  value: 16 * 1024,
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
  /** Words of a container's command, and of its arguments, that are searched for a flag. */
  arguments: 1_024,
  /** Files that one step writes: kubexit needs one for each process that its own waits for. */
  files: 64,
  /** Steps that an annotation yields for one container; each file is a step. */
  stepsOfOwner: 64,
  /** Characters of a path. Linux has no longer ones (PATH_MAX). */
  path: 4_096,
  /** Steps for the sidecars of a pod. A sweep waits for each of them, so that it could not take more. */
  steps: 512,
  /** Ephemeral containers of a pod, above which none is added: they are permanent, and each sweep would add one. */
  ephemeralContainers: 8,
  /** Remarks about one pod; about the pods of one namespace, so that one tenant's do not displace those of others; and in a report. */
  remarks: 16,
  remarksOfNamespace: 256,
  remarksOfReport: 4_096,
  /** Warnings of one kind, so that none hides those of another kind. */
  warningsOfKind: 100,
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
