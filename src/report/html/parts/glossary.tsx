import type { JSX } from 'preact';
import { chapters } from '../glossary.ts';
import { Prose } from './prose.tsx';

/** What every word means; the links of the page lead here. */
export function Glossary(): JSX.Element {
  return (
    <section aria-labelledby="words">
      <h2 id="words">What the words mean</h2>
      {chapters.map(({ title, entries }) => (
        <div class="chapter">
          <h3>{title}</h3>
          <dl>
            {entries.map(({ id, word, means, page }) => (
              <div id={id}>
                <dt>{word}</dt>
                <dd>
                  <Prose text={means} />
                  {page !== undefined && (
                    <span class="soft">
                      {' '}
                      (<code>{page}</code>)
                    </span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </section>
  );
}
