/** On narrower screens, each row of a table is a block of its own. */
export const narrow = '64rem';

/** The stylesheet, for screens of any width, light and dark, and for paper. */
export const style = `
:root{color-scheme:light dark;
--paper:light-dark(#fcfbf9,#15171a);--raised:light-dark(#f3f1ec,#1e2125);
--ink:light-dark(#1c1e21,#e9e7e2);--soft:light-dark(#5a5e64,#a9aeb4);--rule:light-dark(#dcd8d0,#353a40);
--accent:light-dark(#245a8d,#86b9ea);--good:light-dark(#27693f,#7fcd9e);--warn:light-dark(#a0430a,#f2a56f);
--harm:light-dark(#a3121f,#ff9a9a);--alarm:light-dark(#fdeceb,#331a1b)}
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);
font:.9375rem/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main{max-width:78rem;margin:0 auto;padding:2.5rem 1.5rem 6rem}
h1{font-size:clamp(1.6rem,4vw,2.5rem);line-height:1.15;font-weight:650;letter-spacing:-.02em;margin:.2rem 0 .4rem;text-wrap:balance}
h2{font-size:1.3rem;font-weight:650;letter-spacing:-.01em;margin:3rem 0 1rem;padding-top:1rem;border-top:1px solid var(--rule)}
p{margin:.5rem 0}
a{color:var(--accent);text-underline-offset:.15em;text-decoration-thickness:1px}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
b{font-weight:600}
.place{color:var(--soft)}
small{display:block;font-size:.8rem;color:var(--soft)}
.soft,.eyebrow,caption,.legend{color:var(--soft)}
.eyebrow{margin:0;font-size:.85rem}
.harmed,.alarm b{color:var(--harm)}
.alarm{margin:1.5rem 0;padding:.75rem 1rem;background:var(--alarm);border-left:4px solid var(--harm)}
.alarm ul{margin:.25rem 0 0;padding-left:1.25rem}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:2rem 0 0;font-size:.9rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}

.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(13rem,45%),1fr));gap:1.5rem 2rem;margin:2rem 0 0}
.figures>div{border-top:2px solid var(--ink);padding-top:.5rem}
.figures dt{font-size:.85rem;color:var(--soft)}
.figures dd{margin:0}
.figures dd span{display:inline-block}
.figures b{font-size:1.9rem;line-height:1.2;letter-spacing:-.02em}
.figures+p{margin-top:1.5rem}

.table{margin:1.5rem 0;position:relative}
table,thead,tbody{display:block}
caption{display:block;text-align:left;font-size:.9rem;margin:0 0 .4rem}
tr{display:grid;gap:0 1rem;padding:.45rem 0;border-bottom:1px solid var(--rule);align-items:baseline}
thead tr{border-bottom:1px solid var(--soft);align-items:end}
tbody:not(:only-of-type){content-visibility:auto;contain-intrinsic-block-size:auto 130rem}
tbody:empty{display:none}
th{padding:0;font-size:.8rem;font-weight:600;text-align:left;color:var(--soft)}
td{padding:0;min-width:0;white-space:pre-line}
.n{text-align:right}
th button{all:unset;cursor:pointer;color:inherit;text-align:inherit}
th button:hover,th[aria-sort] button{color:var(--ink)}
th[aria-sort=ascending] button::after{content:" \\2191" / ""}
th[aria-sort=descending] button::after{content:" \\2193" / ""}
.filter{display:flex;align-items:baseline;position:absolute;right:0;top:-.5rem;margin:0;font-size:.85rem}
.filter label{color:var(--soft)}
.filter input{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--soft);border-radius:4px;padding:.2rem .5rem;width:14rem;margin-left:.4rem}
.filter span{order:-1;padding-right:.75rem;text-align:right;color:var(--soft)}
.paper{display:none}

.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:1.5rem 2rem}
figure{margin:0}
figcaption{font-size:.9rem;color:var(--soft);margin-bottom:.25rem}
figure svg{display:block;width:100%;height:auto;font-size:10px}

details{margin:.75rem 0}
details caption,h2+.table caption{position:absolute;clip-path:inset(50%);height:1px;overflow:hidden}
details .table:has(.filter){margin-top:.5rem;padding-top:2rem}
details .filter{top:0}
summary{cursor:pointer;padding:.25rem 0}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;padding:0;margin:.5rem 0 1rem;font-size:.85rem}
.legend li{display:flex;align-items:center;gap:.4rem}
.lanes{list-style:none;margin:.5rem 0 1rem;padding:0}
.lanes li{display:grid;grid-template-columns:minmax(10rem,1fr) 3fr;gap:0 1.25rem;padding:.5rem 0;border-bottom:1px solid var(--rule);align-items:center}
.lanes .clock{font-size:.8rem;color:var(--soft);padding:0;border:0}
.clock p{grid-column:2;display:flex;justify-content:space-between}
.lanes p{margin:0;font-size:.85rem}
.lanes .words{grid-column:2;color:var(--soft)}
.bar{display:block;overflow:visible}
.lanes .bar{width:100%}
.track{stroke:var(--rule);stroke-width:1}
.wait{stroke:var(--accent);stroke-width:4;stroke-dasharray:1 3}
.step{fill:var(--accent)}
.bar text{font-size:15px;text-anchor:middle;dominant-baseline:central;paint-order:stroke;stroke:var(--paper);stroke-width:2}
.accent{color:var(--accent)}
.green{color:var(--good);fill:var(--good)}
.yellow{color:var(--warn);fill:var(--warn)}
.red{color:var(--harm);fill:var(--harm)}
dt{font-weight:600}

@media screen and (max-width:${narrow}){
main{padding:1.5rem 1rem 4rem}
thead{display:none}
tr{display:block;padding:.75rem 0}
td,td.n{display:block;position:relative;padding:.1rem 0 .1rem 7.25rem;text-align:left}
td:empty{display:none}
td::before{position:absolute;left:0;width:6.5rem;color:var(--soft);font-size:.8rem;line-height:1.8}
figure svg{font-size:13px}
.lanes li{display:block}
details .table:has(.filter){padding-top:0}
.filter{display:block;position:static;margin-bottom:.5rem}
.filter span{display:block;text-align:left;padding:0;min-height:1.5em}
}
@media print{
:root{color-scheme:light;--paper:#fff;font-size:11.5px}
@page{margin:14mm}
main{max-width:none;padding:0}
.lanes{padding-right:6px}
h2{break-after:avoid;margin-top:2rem}
tr,figure,.lanes li,.figures>div{break-inside:avoid}
tbody:not(:only-of-type){content-visibility:visible}
tbody:nth-of-type(n+3){display:none}
nav,.filter{display:none}
.paper{display:block;color:var(--soft)}
a{color:inherit}
.charts{grid-template-columns:1fr 1fr}
}
`;

/** Sorts and filters tables. A text, because it runs in the browser. */
export const script = `
'use strict';
const seconds = { d: 86400, h: 3600, m: 60, s: 1 };
const { compare } = new Intl.Collator('en', { numeric: true });

/** A number, a duration in seconds, or the text itself. */
const valueOf = ({ textContent: text }) => {
  if (/^(?:\\d+[dhms])+$/.test(text)) return text.match(/\\d+./g).reduce((sum, part) => sum + parseInt(part) * seconds[part.at(-1)], 0);
  return /^[\\d,.]+$/.test(text) ? Number(text.replace(/,/g, '')) : text;
};

for (const table of document.querySelectorAll('table')) {
  const bodies = [...table.tBodies];
  const rows = bodies.flatMap((body) => [...body.rows]);
  if (rows.length < 2) continue;
  const size = bodies[0].rows.length;
  const heads = [...table.tHead.rows[0].cells];
  let words = [];
  let texts;

  const show = () => {
    texts ??= new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    const shown = rows.filter((row) => words.every((word) => texts.get(row).includes(word)));
    bodies.forEach((body, index) => body.replaceChildren(...shown.slice(index * size, (index + 1) * size)));
    return shown.length;
  };

  const sortBy = (index) => {
    const head = heads[index];
    const before = head.getAttribute('aria-sort');
    const isDown = before ? before === 'ascending' : head.classList.contains('n');
    for (const each of heads) each.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
    const keys = new Map(rows.map((row) => [row, valueOf(row.cells[index])]));
    const compared = (a, b) => {
      const [one, other] = [keys.get(a), keys.get(b)];
      return typeof one === 'number' && typeof other === 'number' ? one - other : compare(one, other);
    };
    rows.sort(isDown ? (a, b) => compared(b, a) : compared);
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
  const status = document.createElement('span');
  input.type = 'search';
  input.addEventListener('input', () => {
    words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const shown = show().toLocaleString('en');
    status.textContent = words.length === 0 ? '' : shown + ' of ' + rows.length.toLocaleString('en');
  });
  status.setAttribute('role', 'status');
  label.append('Filter: ', input);
  filter.append(label, status);
  table.before(filter);
}
`;
