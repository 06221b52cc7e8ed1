/** Clients of the service at every shaped provider. */
export const CLIENT = '0a1b2c3d-portal';
export const CLI_CLIENT = '4e5f6a7b-cli';
export const SECRET = 'a-secret-of-the-portal';

/** A Grid that OIDC_ROLE_MAP names: the first one. */
export const GRID = 'd1b2c3a4-0000-4000-8000-000000000021';

export interface ShapedUser {
  readonly sub: string;
  readonly email: string;
  readonly groups: readonly string[];
}

const ADA: ShapedUser = { sub: 'ada-0001', email: 'ada@shop.example', groups: [] };
const BOB: ShapedUser = { sub: 'bob-0002', email: 'bob@shop.example', groups: ['operations'] };

/** What is typical for a provider, as its documentation and its tokens have it. */
export interface ProviderShape {
  readonly name: string;
  /** Path of the issuer. */
  readonly path: string;
  /** As the operator may write the issuer; default: as it is. */
  readonly writtenIssuer?: (issuer: string) => string;
  readonly users: readonly ShapedUser[];
  readonly scopes: readonly string[];
  readonly clientAuthentication: 'none' | 'client_secret_post' | 'client_secret_basic';
  /** Claims of an access token; `opaque`: it is no JWT. */
  readonly accessToken: 'opaque' | ((user: ShapedUser, clientId: string, nonce: unknown) => Record<string, unknown>);
  readonly idToken: (user: ShapedUser, clientId: string) => Record<string, unknown>;
  readonly tokenHeader: { readonly typ?: string };
  readonly rotatesRefreshTokens: boolean;
  readonly hasEndSession: boolean;
  readonly hasDeviceFlow: boolean;
  /** Settings besides the issuer and the client: one, since three suffice. */
  readonly settings: Readonly<Record<string, string>>;
  /** BOOTSTRAP_OWNER for the first user, and the id under which the service knows it. */
  readonly owner: string;
  readonly ownerId: string;
  /** The claim with Bob's groups. */
  readonly roleClaim: string;
}

const ALL_SCOPES = ['openid', 'profile', 'email', 'offline_access'];
const API = 'https://hindsight.example/api';

const common = {
  users: [ADA, BOB],
  scopes: ALL_SCOPES,
  clientAuthentication: 'none',
  tokenHeader: { typ: 'JWT' },
  rotatesRefreshTokens: true,
  hasEndSession: true,
  hasDeviceFlow: true,
  settings: {},
  owner: ADA.email,
  ownerId: ADA.sub,
  roleClaim: 'groups',
} as const;

const profileOf = ({ email, sub }: ShapedUser): Record<string, unknown> => ({
  email,
  email_verified: true,
  name: `Name of ${sub}`,
});

const withSecret = { PORTAL_CLIENT_SECRET: SECRET };

export const PROVIDER_SHAPES: readonly ProviderShape[] = [
  {
    ...common,
    name: 'Keycloak',
    path: '/realms/shop',
    clientAuthentication: 'client_secret_basic',
    settings: withSecret,
    accessToken: (user, azp) => ({
      ...profileOf(user),
      aud: 'account',
      azp,
      typ: 'Bearer',
      scope: 'openid profile email',
      realm_access: { roles: ['offline_access', ...user.groups] },
    }),
    idToken: (user, azp) => ({ ...profileOf(user), azp, typ: 'ID', realm_access: { roles: user.groups } }),
    roleClaim: 'realm_access.roles',
  },
  {
    ...common,
    name: 'Auth0',
    path: '/',
    writtenIssuer: (issuer) => issuer.replace(/\/$/, ''),
    settings: { OIDC_AUDIENCE: API },
    accessToken: ({ groups }, azp) => ({
      aud: [API, 'https://shop.eu.auth0.example/userinfo'],
      azp,
      scope: 'openid profile email offline_access',
      'https://hindsight.example/roles': groups,
    }),
    idToken: profileOf,
    owner: ADA.sub,
    roleClaim: 'https://hindsight.example/roles',
  },
  {
    ...common,
    name: 'Okta',
    path: '/oauth2/default',
    settings: { OIDC_AUDIENCE: 'api://default' },
    tokenHeader: {},
    accessToken: ({ groups, sub }, cid) => ({
      aud: 'api://default',
      ver: 1,
      cid,
      uid: `00u${sub}`,
      scp: ALL_SCOPES,
      groups,
    }),
    idToken: profileOf,
    owner: ADA.sub,
  },
  {
    ...common,
    name: 'Google',
    path: '',
    scopes: ['openid', 'profile', 'email'],
    clientAuthentication: 'client_secret_post',
    settings: withSecret,
    accessToken: 'opaque',
    idToken: (user, azp) => ({ ...profileOf(user), azp, hd: 'shop.example' }),
    rotatesRefreshTokens: false,
    hasEndSession: false,
    roleClaim: 'hd',
  },
  {
    ...common,
    name: 'Entra ID v2',
    path: '/7a3c0e51-3f0b-4a6e-9d5c-1f2e3d4c5b6a/v2.0',
    clientAuthentication: 'client_secret_post',
    settings: withSecret,
    accessToken: () => ({ aud: '00000003-0000-0000-c000-000000000000', scp: 'openid profile email' }),
    idToken: ({ sub, groups, email }) => ({
      ver: '2.0',
      tid: '7a3c0e51-3f0b-4a6e-9d5c-1f2e3d4c5b6a',
      oid: `oid-${sub}`,
      preferred_username: email,
      roles: groups,
    }),
    owner: `oid-${ADA.sub}`,
    ownerId: `oid-${ADA.sub}`,
    roleClaim: 'roles',
  },
  {
    ...common,
    name: 'Dex',
    path: '/dex',
    clientAuthentication: 'client_secret_basic',
    settings: withSecret,
    tokenHeader: {},
    accessToken: ({ groups, ...user }, aud, nonce) => ({ ...profileOf({ ...user, groups }), aud, nonce, groups }),
    idToken: (user) => ({ ...profileOf(user), groups: user.groups }),
    hasEndSession: false,
  },
  {
    ...common,
    name: 'Zitadel',
    path: '',
    accessToken: 'opaque',
    idToken: (user, azp) => ({
      ...profileOf(user),
      aud: [azp, '283746509172635', 'another-application'],
      azp,
      client_id: azp,
      'urn:zitadel:iam:org:project:roles': Object.fromEntries(
        user.groups.map((group) => [group, { '283746509172635': 'shop.zitadel.example' }]),
      ),
    }),
    roleClaim: 'urn:zitadel:iam:org:project:roles',
  },
  {
    ...common,
    name: 'Authentik',
    path: '/application/o/hindsight/',
    clientAuthentication: 'client_secret_post',
    settings: withSecret,
    accessToken: (user, aud) => ({
      ...profileOf(user),
      aud,
      azp: aud,
      groups: user.groups,
      scope: ALL_SCOPES.join(' '),
    }),
    idToken: (user, azp) => ({ ...profileOf(user), azp, groups: user.groups }),
  },
];
