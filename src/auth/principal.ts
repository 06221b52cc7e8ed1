/** Who calls. `id` is what memberships, the audit and limits know the caller by. */
export type Principal =
  /** A person: `oid`, else `sub` of the token. */
  | { readonly kind: 'user'; readonly id: string }
  /** A service with client credentials: its client id. */
  | { readonly kind: 'application'; readonly id: string }
  /** An API key, `key:<keyId>`: Member of its Grid and nothing elsewhere. */
  | { readonly kind: 'key'; readonly id: string; readonly keyId: string; readonly gridId: string };

/** Begins the identity of every API key and of nobody else: commands refuse it in memberships, tokens must not speak in its name. */
const KEY_IDENTITY_PREFIX = 'key:';

export function keyPrincipal({ keyId, gridId }: { readonly keyId: string; readonly gridId: string }): Principal {
  return { kind: 'key', id: `${KEY_IDENTITY_PREFIX}${keyId}`, keyId, gridId };
}

/** Whether an id is, or looks like, that of an API key. */
export function isKeyIdentity(id: string): boolean {
  return id.startsWith(KEY_IDENTITY_PREFIX);
}
