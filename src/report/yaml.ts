import { Document, visit } from 'yaml';
import { escapeControls } from './json.ts';

/** Programs that read YAML 1.1, such as kubectl, do not take `no`, `12:30` or a date for text unless it is in quotes. */
const options = { aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const;

/** A document as YAML, in which all characters that could control a terminal are escaped: only text in quotes has escapes. */
export function toYaml(document: object): string {
  const yaml = new Document(JSON.parse(JSON.stringify(document)), options);
  visit(yaml, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && /[^\n -~]/.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeControls(yaml.toString({ lineWidth: 0 }));
}
