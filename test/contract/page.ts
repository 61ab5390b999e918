import { asSchema, type Field, fieldsOf, type Parts, type Schema } from './fields.ts';

const begin = '<!-- begin: written by `npm run schema` -->';
const end = '<!-- end -->';

/** A page with its generated part replaced. */
export function withFields(page: string, schemas: readonly Schema[]): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no ${begin} … ${end}`);
  return [before, begin, `\n\n${renderFields(schemas)}\n`, end, after].join('');
}

/** Every field of these documents: a table for each document, then one for each part that has a name. */
function renderFields(schemas: readonly Schema[]): string {
  const parts: Parts = Object.assign({}, ...schemas.map(({ $defs }) => $defs));
  const documents = schemas.map((schema) => renderTable(String(schema.title), schema, parts));
  const named = Object.entries(parts)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, part]) => renderTable(name, part, parts));
  return [...documents, ...named].join('\n\n');
}

function renderTable(name: string, schema: Schema, parts: Parts): string {
  const heading = `### ${name}\n\n${sentence(schema.description ?? '')}`;
  if (schema.enum) return `${heading}\n\nOne of ${schema.enum.map((value) => `\`${value}\``).join(', ')}.`;
  const rows = fieldsOf(schema.items ? asSchema(schema.items) : schema, parts).map(renderField);
  return [heading, '', '| field | type | meaning |', '|---|---|---|', ...rows].join('\n');
}

function renderField({ name, type, meaning = '' }: Field): string {
  return `| \`${name}\` | ${type} | ${escaped(meaning)} |`;
}

function sentence(text: string): string {
  return `${escaped(text.charAt(0).toUpperCase() + text.slice(1))}.`;
}

/** Text that Markdown shows as it is. */
function escaped(text: string): string {
  return text.replace(/[|<]/g, '\\$&');
}
