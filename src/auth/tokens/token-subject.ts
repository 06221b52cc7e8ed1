import { isKeyIdentity, type Principal } from '../principal.js';
import { readClaim, resolveTokenRoles, type TokenRoleRules } from './token-roles.js';
import type { Claims } from './token-parser.js';

export type BearerPrincipal = Extract<Principal, { readonly kind: 'user' | 'application' }>;

/** How the caller follows from the claims of a token. */
export interface SubjectRules {
  /** Value that the token of an application must carry. */
  readonly appPermission: string;
  /** Claim that identifies a user, a name or a path; absent: `oid`, else `sub`. */
  readonly userClaim?: string | undefined;
  /** Memberships that follow from a claim. */
  readonly roles?: TokenRoleRules | undefined;
  /**
   * Whether the issuer may be any OpenID provider: a user is also known by a verified e-mail address, and an application
   * may carry its permission in `permissions`.
   */
  readonly anyProvider?: boolean;
}

/** Subject of a token: a user or application, an application without the permission, or unclear. */
export type Subject =
  | { readonly kind: 'known'; readonly principal: BearerPrincipal }
  | { readonly kind: 'permission-missing' }
  | { readonly kind: 'unclear'; readonly why: string };

/** `cid` is Okta's. */
const CLIENT_ID_CLAIMS = ['azp', 'appid', 'client_id', 'cid'] as const;
const MAX_ID_LENGTH = 256;
const NOBODY = { kind: 'unclear', why: 'it identifies neither a user nor an application' } as const;

/**
 * Derives the caller from the claims. The kind comes from the form of the token, never from its id, so that an
 * application's token cannot act as a user or vice versa.
 */
export function resolveSubject(claims: Claims, rules: SubjectRules): Subject {
  const clientIds = findDistinctClientIds(claims);
  if (clientIds.length > 1) return NOBODY;
  const [clientId] = clientIds;
  switch (detectPrincipalKind(claims, clientId)) {
    case 'user':
      return resolveUser(claims, rules);
    case 'application':
      return hasPermission(claims, rules) ? toSubject('application', clientId, claims, rules) : PERMISSION_MISSING;
    case undefined:
      return NOBODY;
  }
}

const PERMISSION_MISSING = { kind: 'permission-missing' } as const;

/**
 * - `idtyp` decides if present, then `gty` (Auth0).
 * - Without a subject, or with the client as subject (RFC 9068 §2.2), it is an application.
 * - Entra's application tokens have `oid` equal to `sub` and no scopes; user tokens have a `sub` per client and scopes.
 */
function detectPrincipalKind(claims: Claims, clientId: unknown): BearerPrincipal['kind'] | undefined {
  const { idtyp, gty, oid, sub } = claims;
  if (idtyp === 'app' || gty === 'client-credentials') return 'application';
  if (idtyp !== undefined && idtyp !== 'user') return undefined;
  if (oid === undefined && sub === undefined) return clientId === undefined ? undefined : 'application';
  if (clientId === undefined || idtyp === 'user') return 'user';
  if (sub === clientId || oid === clientId) return 'application';
  return oid !== undefined && oid === sub && !hasScopes(claims) ? 'application' : 'user';
}

/** Issuers use different claims for the client id; if several are present, they must agree. */
function findDistinctClientIds(claims: Claims): unknown[] {
  return [...new Set(CLIENT_ID_CLAIMS.map((name) => claims[name]).filter((value) => value !== undefined))];
}

function resolveUser(claims: Claims, rules: SubjectRules): Subject {
  const { userClaim } = rules;
  if (userClaim === undefined) return toSubject('user', claims.oid ?? claims.sub, claims, rules);
  // An address that the issuer has not verified may be anybody's.
  const id = userClaim === 'email' ? findVerifiedEmail(claims)?.toLowerCase() : readClaim(claims, userClaim);
  if (id !== undefined) return toSubject('user', id, claims, rules);
  return {
    kind: 'unclear',
    why: `it has no ${userClaim === 'email' ? 'verified ' : ''}${userClaim} (OIDC_USER_CLAIM)`,
  };
}

/** Ids of API keys are not allowed in tokens. */
function toSubject(kind: BearerPrincipal['kind'], id: unknown, claims: Claims, rules: SubjectRules): Subject {
  if (!isUsableId(id)) return NOBODY;
  const roles = rules.roles === undefined ? undefined : resolveTokenRoles(claims, rules.roles);
  const email = kind === 'user' && rules.anyProvider === true ? findVerifiedEmail(claims) : undefined;
  const emails = email === undefined ? [] : [...new Set([email, email.toLowerCase()])];
  return {
    kind: 'known',
    principal: {
      kind,
      id,
      ...(emails.length > 0 && { emails }),
      ...(roles !== undefined && roles.size > 0 && { roles }),
    },
  };
}

function isUsableId(id: unknown): id is string {
  return typeof id === 'string' && id.trim() !== '' && id.length <= MAX_ID_LENGTH && !isKeyIdentity(id);
}

function findVerifiedEmail({ email, email_verified: verified }: Claims): string | undefined {
  return verified === true && isUsableId(email) && email.includes('@') ? email : undefined;
}

/** Any provider: also in Auth0's `permissions`. */
function hasPermission({ roles, permissions }: Claims, { appPermission, anyProvider }: SubjectRules): boolean {
  const claims = anyProvider === true ? [roles, permissions] : [roles];
  return claims.some((granted) => Array.isArray(granted) && granted.includes(appPermission));
}

/** Whether the token carries scopes, as access tokens do and ID tokens do not. */
export function hasScopes({ scp, scope }: Claims): boolean {
  return [scp, scope].some((scopes) => (typeof scopes === 'string' || Array.isArray(scopes)) && scopes.length > 0);
}
