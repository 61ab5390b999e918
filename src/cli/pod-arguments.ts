import type { PodName } from '../model/pod.ts';
import { namespaceName } from '../model/scope.ts';
import { UsageError } from '../util/usage-error.ts';

/** What kubectl takes before the name of a pod. */
const podWords: readonly string[] = ['pod', 'pods', 'po'];

const example = 'such as jobs/report-x2k9p, or -n jobs report-x2k9p';

/**
 * The pods that these words name: `<namespace>/<pod>`, and `<pod>` or `pod/<pod>` in the namespace of -n.
 * Throws UsageError.
 */
export function readPods(words: readonly string[], namespaces: readonly string[]): readonly PodName[] {
  return words.map((word) => readPod(word, namespaces));
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
const podName = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

function readPod(word: string, namespaces: readonly string[]): PodName {
  const pod = split(word, namespaces);
  const { namespace, name } = pod;
  if (namespace === '' || name === '') throw namesNone(word);
  if (!namespaceName.test(namespace)) throw new UsageError(`'${namespace}' is not a valid namespace name`);
  if (!podName.test(name)) throw new UsageError(`'${name}' is not a valid pod name`);
  return pod;
}

function split(word: string, namespaces: readonly string[]): PodName {
  const [first = '', second, ...more] = word.split('/');
  if (more.length > 0) throw namesNone(word);
  if (second !== undefined && !podWords.includes(first)) return { namespace: first, name: second };
  const name = second ?? first;
  if (name === '') throw namesNone(word);
  const [namespace, ...others] = namespaces;
  if (namespace === undefined) {
    throw new UsageError(`the namespace of the pod '${word}' is missing; name it, ${example}`);
  }
  if (others.length > 0) {
    throw new UsageError(`'${word}' may be in any of ${namespaces.join(', ')}; name its own, ${example}`);
  }
  return { namespace, name };
}

function namesNone(word: string): UsageError {
  return new UsageError(`'${word}' names no pod; name it with its namespace, ${example}`);
}
