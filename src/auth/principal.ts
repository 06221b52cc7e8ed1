/** An authenticated caller. `id` identifies the caller in memberships, audit log and rate limits. */
export type Principal =
  /** A user: `oid`, else `sub` of the token. */
  | { readonly kind: 'user'; readonly id: string }
  /** An application with client credentials: its client id. */
  | { readonly kind: 'application'; readonly id: string }
  /** An API key, `key:<keyId>`: Member of its own Grid only. */
  | { readonly kind: 'key'; readonly id: string; readonly keyId: string; readonly gridId: string };

/**
 * Prefix of the ids of API keys, reserved for them: commands reject it in memberships, and tokens with it are rejected.
 */
const KEY_IDENTITY_PREFIX = 'key:';

export function toKeyPrincipal({ keyId, gridId }: { readonly keyId: string; readonly gridId: string }): Principal {
  return { kind: 'key', id: `${KEY_IDENTITY_PREFIX}${keyId}`, keyId, gridId };
}

/** Whether an id has the form of an API key's id. */
export function isKeyIdentity(id: string): boolean {
  return id.startsWith(KEY_IDENTITY_PREFIX);
}
