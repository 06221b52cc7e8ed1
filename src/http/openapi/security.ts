import type { Route } from '../route.js';
import type { SignInPlace } from '../service-pages.js';

type Requirement = Readonly<Record<string, readonly string[]>>;

const TOKEN = 'An access token of a user or an application. The role is that of its membership in the Grid.';
const NO_DIRECTORY = `${TOKEN} This service has no directory to verify it by, and so accepts none.`;

/** How callers prove who they are. */
export function securitySchemes(signIn: SignInPlace | undefined): Record<string, object> {
  return {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: signIn === undefined ? NO_DIRECTORY : TOKEN },
    ...(signIn !== undefined && {
      oauth2: { type: 'oauth2', description: 'How to get an access token: with PKCE for users, by client credentials for applications.', flows: flowsOf(signIn) },
    }),
    apiKey: { type: 'apiKey', in: 'header', name: 'api-key', description: 'The key of a Grid. It acts there with the role Member, nowhere else, and never administers. With both headers the bearer token counts.' },
  };
}

/** The endpoints of a directory lie beside its issuer, `…/v2.0` (see the spec of the API). */
function flowsOf({ issuer, scope }: SignInPlace): object {
  const endpoints = `${issuer.replace(/\/v2\.0$/, '')}/oauth2/v2.0`;
  const scopes = { [scope]: 'All that the role of the caller permits' };
  const tokenUrl = `${endpoints}/token`;
  return {
    authorizationCode: { authorizationUrl: `${endpoints}/authorize`, tokenUrl, refreshUrl: tokenUrl, scopes },
    clientCredentials: { tokenUrl, scopes },
  };
}

/** Any one of them will do. */
export function securityOf({ apiKeys }: Pick<Route, 'apiKeys'>, signIn: SignInPlace | undefined): readonly Requirement[] {
  const requirements: Requirement[] = [{ bearer: [] }];
  if (signIn !== undefined) requirements.push({ oauth2: [signIn.scope] });
  if (apiKeys !== false) requirements.push({ apiKey: [] });
  return requirements;
}
