import type { Problem } from './problem.ts';

export type NodeReading =
  /** Its operating system and architecture, such as `linux/arm64`. */
  | { readonly kind: 'Ready'; readonly platform: string }
  /** Its Ready condition is not True, or the Node is gone; its containers cannot be reached. */
  | { readonly kind: 'NotReady'; readonly reason: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export interface ListedNode {
  readonly name: string;
  readonly reading: NodeReading;
}
