import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
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

export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter();
  const lineAt: LineAt = (offset) => lines.linePos(offset).line;
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // The parser would compare each key with every other: a minute for 100,000 of them.
    uniqueKeys: false,
    // As kubectl does: a kubeconfig may have `as` or `proxy-url` from a merge alone.
    merge: true,
    // Its warnings would go to stderr and quote the file.
    logLevel: 'error',
  });
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ code, pos, message }) => ({
      line: lineAt(pos[0]),
      message: texts[code] ?? message,
    }));
    return { kind: 'Wrong', problems };
  }
  const problems = problemsIn(document, lineAt);
  if (problems.length > 0) return { kind: 'Wrong', problems };
  try {
    const value: unknown = document.toJS();
    return { kind: 'Value', value, lineOf: (path) => lineOf(path, document, lineAt) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'Wrong', problems: [{ line: 1, message }] };
  }
}

/** The schema of policies has seven levels, and kubeconfigs have six. */
const mostLevels = 32;
const tooDeep = `nested more than ${mostLevels} levels deep`;
/** The library limits those of each anchor alone, and compares each alias with all anchors: a minute for 20,000 of both. */
const mostAliases = 100;

const texts: { readonly [C in ErrorCode]?: string } = {
  MULTIPLE_DOCS: 'a second document begins here; only one is read',
  RESOURCE_EXHAUSTION: tooDeep,
};

/** The problems that the parser does not report, or without their lines. */
function problemsIn(document: Document, lineAt: LineAt): readonly FileProblem[] {
  const anchors = new Set<string>();
  const problems: FileProblem[] = [];
  let aliases = 0;
  const add = ({ range }: Node, message: string) => problems.push({ line: lineAt(range?.[0] ?? 0), message });
  const tooMuch = (node: Node, message: string) => {
    add(node, message);
    return visit.BREAK;
  };
  visit(document, (_key, node, path) => {
    if (!isNode(node)) return undefined;
    if (!isAlias(node)) anchors.add(node.anchor ?? '');
    else if (++aliases > mostAliases) return tooMuch(node, `more than ${mostAliases} aliases`);
    else if (!anchors.has(node.source)) add(node, `there is no anchor for the alias *${node.source}`);
    if (isMap(node)) for (const key of repeatedKeys(node)) add(key, `${key.value} is there twice`);
    // A map and its pair are one level.
    return path.length > 2 * mostLevels ? tooMuch(node, tooDeep) : undefined;
  });
  return problems;
}

function repeatedKeys({ items }: YAMLMap): readonly Scalar[] {
  const keys = items.map(({ key }) => key).filter(isScalar);
  const seen = new Set<unknown>();
  return keys.filter(({ value }) => seen.size === seen.add(value).size);
}

function lineOf(path: readonly PropertyKey[], document: Document, lineAt: LineAt): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lineAt(node.range[0]);
  }
  return 1;
}
