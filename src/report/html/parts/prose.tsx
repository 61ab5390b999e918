import type { JSX } from 'preact';

/** Words, of which a flag stays in one piece: browsers break lines after hyphens. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split(/(--[\w=-]+)/);
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <span class="flag">{part}</span>))}</>;
}
