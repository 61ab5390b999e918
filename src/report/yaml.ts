import { Document, visit } from 'yaml';
import { escapeControls } from './json.ts';

/** A document as YAML, in which all characters that could control a terminal are escaped: only text in quotes has escapes. */
export function toYaml(document: object): string {
  const yaml = new Document(JSON.parse(JSON.stringify(document)), { aliasDuplicateObjects: false });
  visit(yaml, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && /[^\n -~]/.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeControls(yaml.toString({ lineWidth: 0 }));
}
