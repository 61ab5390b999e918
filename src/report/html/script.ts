/** Sorts and filters tables, without which the page is as readable. As text: it runs in a browser, not here. */
export const script = `
'use strict';
for (const table of document.querySelectorAll('table')) {
  const bodies = [...table.tBodies];
  const rows = bodies.flatMap((body) => [...body.rows]);
  if (rows.length < 2) continue;
  const size = bodies[0].rows.length;
  const heads = [...table.tHead.rows[0].cells];
  let order = rows;
  let words = [];
  let texts;
  let status;

  let turn = 0;

  // The first rows at once, the others while nobody waits for them.
  const fill = (shown, from, mine) => {
    if (mine !== turn || from >= bodies.length) return;
    const to = from + 8;
    bodies.slice(from, to).forEach((body, index) => {
      const first = (from + index) * size;
      body.replaceChildren(...shown.slice(first, first + size));
    });
    requestAnimationFrame(() => fill(shown, to, mine));
  };

  const show = () => {
    texts ??= new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    const shown = words.length === 0 ? order : order.filter((row) => words.every((word) => texts.get(row).includes(word)));
    fill(shown, 0, ++turn);
    if (status) status.textContent = words.length === 0 ? '' : shown.length.toLocaleString('en') + ' of ' + rows.length.toLocaleString('en');
  };

  const sortBy = (index) => {
    const head = heads[index];
    const isNumeric = head.classList.contains('n');
    const before = head.getAttribute('aria-sort');
    const isDown = before ? before === 'ascending' : isNumeric;
    for (const each of heads) each.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
    const keys = new Map(rows.map((row) => {
      const cell = row.cells[index];
      const key = cell.dataset.v ?? cell.textContent;
      return [row, isNumeric ? Number(key.replace(/,/g, '')) : key];
    }));
    const { compare } = new Intl.Collator('en', { numeric: true });
    const compared = isNumeric ? (a, b) => keys.get(a) - keys.get(b) : (a, b) => compare(keys.get(a), keys.get(b));
    order = [...rows].sort(isDown ? (a, b) => compared(b, a) : compared);
    show();
  };

  heads.forEach((head, index) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    button.addEventListener('click', () => sortBy(index));
    head.append(button);
  });

  if (rows.length < 10) continue;
  const filter = document.createElement('p');
  filter.className = 'filter';
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.type = 'search';
  input.addEventListener('input', () => {
    words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    show();
  });
  status = document.createElement('span');
  status.setAttribute('role', 'status');
  label.append('Filter: ', input);
  filter.append(label, status);
  table.before(filter);
}
`;
