import { matchesWords } from './word-pattern.ts';

/**
 * Kill commands that may be run although a pod's annotation asks for them. Whoever can write an annotation is not always
 * somebody who may exec into the pod, so the default is a list. In a word, `<word>` stands for letters, digits and
 * `._/-`: nothing that a shell would take for more than one word.
 */
export const shippedAllowlist: readonly (readonly string[])[] = [
  ['pilot-agent', 'request', 'POST', 'quitquitquit'],
  ['pilot-agent', 'request', '--debug-port', '15020', 'POST', 'quitquitquit'],
  ['sh', '-c', 'kill -%d 1'],
  ['/bin/sh', '-c', 'kill -%d 1'],
  ['sh', '-c', 'kill -%d $(pidof <word>)'],
  ['/bin/sh', '-c', 'kill -%d $(pidof <word>)'],
  ['kill', '-%d', '1'],
  ['/bin/kill', '-%d', '1'],
  ['pkill', '-f', '<word>'],
  ['pkill', '<word>'],
  ['killall', '<word>'],
  ['/cloud-sql-proxy', 'shutdown'],
];

/** Whether a command fits one of the patterns, word by word. */
export function isAllowed(words: readonly string[], patterns: readonly (readonly string[])[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern.length === words.length &&
      pattern.every((part, index) => matchesWords(part, words[index] ?? '')),
  );
}
