/** A part of the answer to a list, in whatever form it came. */
export type ListPart =
  | { readonly kind: 'Item'; readonly item: unknown }
  /** A pod that was left out at a glance, of which little more than the names is to be had. */
  | { readonly kind: 'LeftOut'; readonly item: unknown }
  /** An item of more bytes than are read; only its names are told, if that. */
  | { readonly kind: 'TooLarge'; readonly item: unknown }
  /** All that is not an item, such as kind and metadata, in JSON; it comes last. */
  | { readonly kind: 'Frame'; readonly text: string };
