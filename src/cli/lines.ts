/** The lines of what is read in chunks, each without its line feed. */
export async function* linesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      rest += text;
      continue;
    }
    yield* (rest + text.slice(0, end)).split('\n');
    rest = text.slice(end + 1);
  }
  if (rest !== '') yield rest;
}
