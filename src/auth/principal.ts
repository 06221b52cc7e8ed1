import type { ApiKeyAccess } from './access-control.js';
import type { Role } from '../streams/events/grid-events.js';

/** Memberships that the token of a caller grants, beside recorded ones: role by Grid. */
interface TokenMemberships {
  readonly roles?: ReadonlyMap<string, Role>;
}

/** An authenticated caller. `id` identifies the caller in memberships, audit log and rate limits. */
export type Principal =
  /** A user: `oid`, else `sub` of the token. Memberships of `emails`, which the issuer has verified, apply as well. */
  | ({ readonly kind: 'user'; readonly id: string; readonly emails?: readonly string[] } & TokenMemberships)
  /** An application with client credentials: its client id. */
  | ({ readonly kind: 'application'; readonly id: string } & TokenMemberships)
  /** An API key, `key:<keyId>`: Member of its own Grid only. `issuedBy` as in `ApiKeyAccess`. */
  | {
      readonly kind: 'key';
      readonly id: string;
      readonly keyId: string;
      readonly gridId: string;
      readonly issuedBy: string;
    };

/**
 * Prefix of the ids of API keys, reserved for them: commands reject it in memberships, and tokens with it are rejected.
 */
const KEY_IDENTITY_PREFIX = 'key:';

export function toKeyPrincipal({ keyId, gridId, issuedBy }: Omit<ApiKeyAccess, 'kind'>): Principal {
  return { kind: 'key', id: `${KEY_IDENTITY_PREFIX}${keyId}`, keyId, gridId, issuedBy };
}

/**
 * Issuers of keys that are not users: the operator of the machine, the service for its first Grid, and an unknown one.
 */
const NO_USER = /^(operator:.*|system|)$/;

/**
 * Id of the user or application whose quotas a call counts for: rate limit, prompts and energy. A call with an API key
 * counts for the issuer of the key, so that more keys do not mean more calls; a key of the operator counts for itself.
 */
export function findQuotaOwner(principal: Principal): string {
  return principal.kind === 'key' && !NO_USER.test(principal.issuedBy) ? principal.issuedBy : principal.id;
}

/** Whether an id has the form of an API key's id. */
export function isKeyIdentity(id: string): boolean {
  return id.startsWith(KEY_IDENTITY_PREFIX);
}
