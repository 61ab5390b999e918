/** A sentence for each kind of a union, with what the kind has in its fields. */
export type Sentences<Union extends { readonly kind: string }> = {
  readonly [Kind in Union['kind']]: string | ((one: Extract<Union, { readonly kind: Kind }>) => string);
};

/** The sentence for one of them. */
export function say<Union extends { readonly kind: string }>(
  sentences: Sentences<Union>,
  one: Union,
): string {
  const sentence = sentences[one.kind as Union['kind']] as string | ((one: Union) => string);
  return typeof sentence === 'string' ? sentence : sentence(one);
}
