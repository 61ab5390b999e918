import type { Problem } from './problem.ts';

export type NamespaceReading =
  | {
      readonly kind: 'Present';
      readonly annotations: Readonly<Record<string, string>>;
      readonly uid?: string;
    }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export interface ListedNamespace {
  readonly name: string;
  readonly reading: NamespaceReading;
}
