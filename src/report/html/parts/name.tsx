import type { JSX } from 'preact';
import type { PodName } from '../../../model/pod.ts';

/** The name of something in a namespace, which steps back a little. */
export function Name({ of: { namespace, name } }: { readonly of: PodName }): JSX.Element {
  return (
    <>
      <span class="place">{namespace}/</span>
      {name}
    </>
  );
}
