/** 48-bit hash of an attribute: 32 bits for postings, 16 more to tell collisions apart. */
export interface Token {
  readonly token: number;
  readonly check: number;
}

/** Token of the attribute `key` whose value has this string form (see attributes.ts). */
export function tokenOf(key: string, text: string): Token {
  void key; void text; throw new Error('being written');
}
