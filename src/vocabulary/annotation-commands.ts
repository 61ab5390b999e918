/** Which kill commands in annotations are run: none, those that match a pattern, or all. */
export type AnnotationCommands =
  | { readonly kind: 'Off' }
  | { readonly kind: 'Allowlist'; readonly patterns: readonly (readonly string[])[] }
  | { readonly kind: 'Any' };
