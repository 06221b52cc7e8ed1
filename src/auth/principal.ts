/** Who calls. `id` is what memberships, the audit and limits know the caller by. */
export type Principal =
  /** A person: `oid`, else `sub` of the token. */
  | { readonly kind: 'user'; readonly id: string }
  /** A service with client credentials: its client id. */
  | { readonly kind: 'application'; readonly id: string }
  /** An API key, `key:<keyId>`: Member of its Grid and nothing elsewhere. */
  | { readonly kind: 'key'; readonly id: string; readonly keyId: string; readonly gridId: string };
