import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { ApiClient } from './api-client.js';

const CLIENT = { client_id: 'hindsight-cli', redirect_uri: 'http://127.0.0.1:51515/callback' };

type DevelopmentUser = 'owner' | 'member' | 'user' | 'guest' | 'outsider';

/** An API client signed in as a development user, with the code flow and PKCE like the command line. */
export async function signIn(apiUrl: string, user: DevelopmentUser): Promise<ApiClient> {
  return new ApiClient(apiUrl, { authorization: `Bearer ${await tokenOf(apiUrl, user)}` });
}

/** Access token of one of the development users. */
export async function tokenOf(apiUrl: string, user: DevelopmentUser): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = new URLSearchParams({
    ...CLIENT,
    response_type: 'code',
    scope: 'api://iapm-api/.default',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    login_hint: user,
  });
  const redirect = await fetch(`${apiUrl}/auth/dev/oauth2/v2.0/authorize?${asked.toString()}`, { redirect: 'manual' });
  const code = new URL(redirect.headers.get('location') ?? '', apiUrl).searchParams.get('code');
  assert.ok(code, `no code for ${user}`);
  return token(apiUrl, { ...CLIENT, grant_type: 'authorization_code', code, code_verifier: verifier });
}

/** An API client of the application that is a Member of the first Grid. */
export async function signInAutomation(apiUrl: string): Promise<ApiClient> {
  const granted = await token(apiUrl, {
    grant_type: 'client_credentials',
    client_id: 'hindsight-automation',
    client_secret: 'dev-secret',
    scope: 'api://iapm-api/.default',
  });
  return new ApiClient(apiUrl, { authorization: `Bearer ${granted}` });
}

async function token(apiUrl: string, grant: Record<string, string>): Promise<string> {
  const response = await fetch(`${apiUrl}/auth/dev/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams(grant),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
