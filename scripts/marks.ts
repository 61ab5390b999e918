/** A page with this text between the comments that name the mark. */
export function fillMark(page: string, mark: string, text: string): string {
  const [begin, end] = [`<!-- ${mark} -->\n`, `<!-- /${mark} -->`];
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error(`the page has no mark ${mark}`);
  return `${page.slice(0, from)}${text}\n${page.slice(to)}`;
}
