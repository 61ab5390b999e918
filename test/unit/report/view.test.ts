import { describe, expect, it } from 'vitest';
import type { Column } from '../../../src/report/columns.ts';
import {
  type Block,
  bullets,
  escaped,
  markdownRows,
  sentence,
  viewMarkdown,
  viewText,
} from '../../../src/report/view.ts';
import { plain } from '../../builders/rendered.ts';

describe('text of others', () => {
  it('cannot be markup, and stays in its cell', () => {
    const image = '![x](http://tracker/p.png) <img src=x> a|b `c` *d*\n# e';
    const row =
      markdownRows(['A'], [[image]])
        .split('\n')
        .at(-1) ?? '';
    expect(row).not.toMatch(/(?<!\\)[![<>`*#]\[?(?!x\]|\\|x)/);
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(2);
  });

  it('is one line without terminal control characters, wherever it stands', () => {
    const text = 'a\u001b[2J\r\nb\u009b0m\u202ec';
    const rows = [[text, { look: 'red', text }]] as const;
    const blocks: readonly Block[] = [
      { kind: 'Heading', text },
      sentence(text),
      bullets([text], [text]),
      { kind: 'Table', columns: [{ title: 'A' }, { title: 'B' }], rows, more: 0 },
    ];
    const lines = viewText({ sections: [blocks] }, plain)
      .trimEnd()
      .split('\n');
    const shown = 'a [2J b 0m c';
    expect(lines).toEqual([
      ...[shown, shown, `  ${shown}`, `    ${shown}`],
      ...['A              B', `${shown}   ${shown}`],
    ]);
  });

  it('is written as it is if nothing in it is markup', () => {
    expect(escaped('registry.example:5000/team-a/app:1.2')).toBe('registry.example:5000/team-a/app:1.2');
  });
});

it('a table is aligned by how wide characters are', () => {
  const expected = ['| A    | B |', '| ---- | - |', '| 漢字 | x |'];
  expect(markdownRows(['A', 'B'], [['漢字', 'x']]).split('\n')).toEqual(expected);
});

it('Markdown has a part for each block, without the columns that only -o wide has', () => {
  const columns: readonly Column[] = [{ title: 'POD' }, { title: 'NODE', isWide: true }];
  const blocks: readonly Block[] = [
    { kind: 'Heading', text: 'What is stuck' },
    sentence('2 pods harmed', 'red'),
    sentence('1 pod listed'),
    { kind: 'Sentences', texts: [] },
    bullets(['why'], ['what to do']),
    { kind: 'Table', columns, rows: [['demo/a', 'node1']], more: 12 },
    { kind: 'Table', columns, rows: [], more: 0 },
    { kind: 'Code', language: 'yaml', text: 'rules: []' },
    { kind: 'Code', language: 'sh', text: "echo '```'" },
  ];
  expect(viewMarkdown({ title: 'A sweep', sections: [blocks, []] })).toBe(`# A sweep

## What is stuck

**2 pods harmed**

1 pod listed

- why
  - what to do

| POD    |
| ------ |
| demo/a |

and 12 more

\`\`\`yaml
rules: []
\`\`\`

\`\`\`\`sh
echo '\`\`\`'
\`\`\`\`
`);
  expect(viewMarkdown({ title: 'A sweep', sections: [] })).toBe('');
});
