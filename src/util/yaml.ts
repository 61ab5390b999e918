import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';

export interface FileProblem {
  readonly line: number;
  readonly message: string;
}

type LineAt = (offset: number) => number;

export type ReadYaml =
  | {
      readonly kind: 'Value';
      readonly value: unknown;
      /** The line of a value by its path; if it is missing, that of the map or list around it. */
      readonly lineOf: (path: readonly PropertyKey[]) => number;
    }
  | { readonly kind: 'Wrong'; readonly problems: readonly FileProblem[] };

const limits = {
  /** More than any file needs; each one costs a lookup. */
  aliases: 100,
  /** The schema of policies has seven levels, and kubeconfigs have six. */
  depth: 32,
} as const;

export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter();
  const lineAt: LineAt = (offset) => lines.linePos(offset).line;
  // The parser compares each key with every other, so keys are compared below instead.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    // As kubectl does: a kubeconfig may have `as` or `proxy-url` from a merge alone.
    merge: true,
    // Its warnings would go to stderr and quote the file.
    logLevel: 'error',
  });
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return wrong(1, tooDeep);
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ code, pos, message }) => ({
      line: lineAt(pos[0]),
      message: code === 'MULTIPLE_DOCS' ? 'a second document begins here; only one is read' : message,
    }));
    return { kind: 'Wrong', problems };
  }
  const problems = problemsIn(document, lineAt);
  if (problems.length > 0) return { kind: 'Wrong', problems };
  try {
    const value: unknown = document.toJS({ maxAliasCount: limits.aliases });
    return { kind: 'Value', value, lineOf: (path) => lineOf(path, document, lineAt) };
  } catch (error) {
    return wrong(1, error instanceof Error ? error.message : String(error));
  }
}

const tooDeep = `nested more than ${limits.depth} levels deep`;

/** The problems that the parser does not report, in one pass. Where there is too much of something, that is the only problem. */
function problemsIn(document: Document, lineAt: LineAt): readonly FileProblem[] {
  const anchors = new Set<string>();
  const problems: FileProblem[] = [];
  let excess: FileProblem | undefined;
  let aliases = 0;
  visit(document, (_key, node, path) => {
    const found = (message: string): FileProblem => ({ line: lineAt(offsetOf(node)), message });
    // A map and its pair are one level.
    if (path.length > 2 * limits.depth) excess = found(tooDeep);
    if (isMap(node)) for (const problem of repeatedKeys(node, lineAt)) problems.push(problem);
    if (isAlias(node)) {
      aliases++;
      if (!anchors.has(node.source)) problems.push(found(`there is no anchor for the alias *${node.source}`));
    } else if (isNode(node) && node.anchor !== undefined) anchors.add(node.anchor);
    if (aliases > limits.aliases) excess = found(`more than ${limits.aliases} aliases`);
    return excess && visit.BREAK;
  });
  return excess ? [excess] : problems;
}

function repeatedKeys({ items }: YAMLMap, lineAt: LineAt): readonly FileProblem[] {
  const keys = new Set<unknown>();
  return items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    const isRepeated = keys.has(key.value);
    keys.add(key.value);
    return isRepeated ? [{ line: lineAt(offsetOf(key)), message: `${key.value} is there twice` }] : [];
  });
}

function lineOf(path: readonly PropertyKey[], document: Document, lineAt: LineAt): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lineAt(node.range[0]);
  }
  return 1;
}

function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function wrong(line: number, message: string): ReadYaml {
  return { kind: 'Wrong', problems: [{ line, message }] };
}
