import * as parse from './setting-parsers.js';
import { markConfidential, optional, type Setting, withDefault } from './setting.js';

/** Settings of identity providers, of tokens and of the sessions of the portal. */
export const SIGN_IN_SETTINGS = {
  authUrl: markConfidential(
    optional(
      'AUTH_URL',
      'the embedded development identity provider',
      'external directory: its issuer is `{AUTH_URL}/{AUTH_TENANT_ID}/v2.0`',
      parse.httpUrl,
    ),
  ),
  authTenantId: withDefault('AUTH_TENANT_ID', 'dev', 'tenant in the issuer', parse.pathSegment),
  authAudience: withDefault('AUTH_AUDIENCE', 'api://iapm-api', 'accepted `aud` of tokens', parse.anyText),
  oidcIssuer: optional(
    'OIDC_ISSUER',
    'none',
    'issuer of any OpenID provider, such as `https://login.example/realms/shop`; in place of `AUTH_URL` and `AUTH_TENANT_ID`. How to set up each provider is in [sign-in.md](sign-in.md)',
    parse.issuer,
  ),
  oidcAudience: optional(
    'OIDC_AUDIENCE',
    '`PORTAL_CLIENT_ID` and `CLI_CLIENT_ID`',
    'accepted `aud` of tokens of `OIDC_ISSUER`, separated by commas: a token needs one of them. ID tokens are accepted only if they were issued to the portal or the command line, and its client id is in the list',
    parse.textList,
  ),
  oidcScopes: withDefault(
    'OIDC_SCOPES',
    'openid profile email offline_access',
    'scopes that the portal and the command line request from `OIDC_ISSUER`, without those of the default that the provider does not list as supported',
    parse.scopes,
  ),
  oidcUserClaim: optional(
    'OIDC_USER_CLAIM',
    '`oid`, else `sub`',
    'claim that identifies users, a name or a path. `email` counts only with `email_verified`, in lower case',
    parse.anyText,
  ),
  oidcRoleClaim: optional(
    'OIDC_ROLE_CLAIM',
    'none',
    'claim whose values grant memberships, a name or a path such as `realm_access.roles`: a string, a list of strings, or an object whose keys are the values. Needs `OIDC_ROLE_MAP`',
    parse.anyText,
  ),
  oidcRoleMap: optional(
    'OIDC_ROLE_MAP',
    'none',
    'which value of `OIDC_ROLE_CLAIM` grants which role in which Grid: `value=gridId:Role`, separated by commas. Such memberships follow the token and cannot be edited',
    parse.roleMap,
  ),
  authAppPermission: withDefault(
    'AUTH_APP_PERMISSION',
    'Grid.Access',
    'value that a client-credentials token must have in `roles`; with `OIDC_ISSUER` also in `permissions`',
    parse.anyText,
  ),
  authDevelopment: withDefault(
    'AUTH_DEVELOPMENT',
    'loopback',
    'who may reach the development identity provider: `loopback`: this machine; the service then does not start with any other `BIND_ADDRESS`. `everybody`: anyone who can reach the port; they can sign in as any user without a password',
    parse.choice(['loopback', 'everybody']),
  ),
  portalClientId: withDefault(
    'PORTAL_CLIENT_ID',
    'hindsight-portal',
    'client id of the portal at `AUTH_URL` or `OIDC_ISSUER`, for the authorization code flow with PKCE; its redirect URI is `{PUBLIC_URL}/portal/callback`',
    parse.anyText,
  ),
  portalClientSecret: markConfidential(
    optional(
      'PORTAL_CLIENT_SECRET',
      'none: a public client',
      'its secret, if the directory requires one',
      parse.secret,
    ),
  ),
  cliClientId: withDefault(
    'CLI_CLIENT_ID',
    'hindsight-cli',
    'client id of the command line at `OIDC_ISSUER`: a native client with PKCE whose redirect URI is `http://127.0.0.1/callback` on any port, for `--device` with the device code flow',
    parse.anyText,
  ),
  cliClientSecret: optional(
    'CLI_CLIENT_SECRET',
    'none: a public client',
    'its secret, if the provider gives native clients one (Google). Anyone may read it: `hindsight login` gets it from the service',
    parse.anyText,
  ),
  portalSessionSecret: markConfidential(
    optional(
      'PORTAL_SESSION_SECRET',
      'generated into `DATA_DIR`',
      'encrypts the session cookies of the portal, 32 or more characters: the same in all processes that serve the API',
      parse.longSecret,
    ),
  ),
  portalSignOut: withDefault(
    'PORTAL_SIGN_OUT',
    'portal',
    '`provider`: signing out of the portal also signs the user out of the identity provider, if it has an `end_session_endpoint`. Register `{PUBLIC_URL}/portal/` there first, as post-logout redirect URI',
    parse.choice(['portal', 'provider']),
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** Whether an identity provider is configured, so that the development identity provider does not run. */
export function hasIdentityProvider(settings: {
  readonly authUrl: string | undefined;
  readonly oidcIssuer: string | undefined;
}): boolean {
  return settings.authUrl !== undefined || settings.oidcIssuer !== undefined;
}
