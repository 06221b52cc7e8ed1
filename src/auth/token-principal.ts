import { isKeyIdentity, type Principal } from './principal.js';
import { hasScopes } from './token-claims.js';
import type { Claims } from './token-form.js';

export type BearerPrincipal = Extract<Principal, { readonly kind: 'user' | 'application' }>;

/** Whom a token stands for: somebody, an application without the permission, or nobody that can be named. */
export type Subject = BearerPrincipal | 'permission-missing' | 'unclear';

const CLIENT_ID_CLAIMS = ['azp', 'appid', 'client_id'] as const;
const MAX_ID_LENGTH = 256;

/**
 * The caller behind the claims. Kind comes first, from the form of the token and never from who bears the same id:
 * an application's token can so never stand for a user, nor a user's for an application.
 */
export function subjectOf(claims: Claims, appPermission: string): Subject {
  const clientIds = distinctClientIds(claims);
  if (clientIds.length > 1) return 'unclear';
  const [clientId] = clientIds;
  switch (kindOf(claims, clientId)) {
    case 'user': return identified('user', claims.oid ?? claims.sub);
    case 'application': return hasRole(claims, appPermission) ? identified('application', clientId) : 'permission-missing';
    case undefined: return 'unclear';
  }
}

/**
 * - `idtyp` says it where the issuer writes it.
 * - Without any subject, or with the client itself as subject (RFC 9068 §2.2), there is no user.
 * - Entra gives application tokens an `oid` equal to `sub`, and no scopes; users' tokens have a `sub` per client and scopes.
 */
function kindOf(claims: Claims, clientId: unknown): BearerPrincipal['kind'] | undefined {
  const { idtyp, oid, sub } = claims;
  if (idtyp === 'app') return 'application';
  if (idtyp !== undefined && idtyp !== 'user') return undefined;
  if (oid === undefined && sub === undefined) return clientId === undefined ? undefined : 'application';
  if (clientId === undefined || idtyp === 'user') return 'user';
  if (sub === clientId || oid === clientId) return 'application';
  return oid !== undefined && oid === sub && !hasScopes(claims) ? 'application' : 'user';
}

/** Issuers name the client by different claims; where several are given they must agree. */
function distinctClientIds(claims: Claims): unknown[] {
  return [...new Set(CLIENT_ID_CLAIMS.map((name) => claims[name]).filter((value) => value !== undefined))];
}

/** No token may speak in the name of an API key. */
function identified(kind: BearerPrincipal['kind'], id: unknown): BearerPrincipal | 'unclear' {
  const usable = typeof id === 'string' && id.trim() !== '' && id.length <= MAX_ID_LENGTH && !isKeyIdentity(id);
  return usable ? { kind, id } : 'unclear';
}

function hasRole({ roles }: Claims, permission: string): boolean {
  return Array.isArray(roles) && roles.includes(permission);
}
