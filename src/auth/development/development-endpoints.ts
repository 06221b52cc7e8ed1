import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { DEVELOPMENT_USERS } from './development-directory.js';
import { sendFailure, sendNotice, sendUserList } from './development-pages.js';
import { SESSION_COOKIE } from './configured-oidc-provider.js';

export interface MountPoint {
  /** Public address of the tenant, without a slash at the end. */
  readonly root: URL;
  readonly tenantId: string;
  readonly provider: () => Promise<Provider>;
}

interface MountedRequest extends IncomingMessage {
  /** Set by Express: the address before the mount path was taken off. */
  originalUrl?: string;
}

const SIGN_IN_PATH = /^\/interaction\/([\w-]+)(?:\/(\w+))?$/;
const PROVIDER_PATH = /^\/(?:oauth2\/v2\.0\/(?:authorize(?:\/[\w-]+)?|token|revoke|userinfo)|discovery\/v2\.0\/keys)$/;
const DISCOVERY_PATH = '/v2.0/.well-known/openid-configuration';

export async function serveIdentity(
  place: MountPoint,
  request: MountedRequest,
  response: ServerResponse,
  next: () => void,
): Promise<void> {
  const [pathname = '/', ...query] = (request.url ?? '/').split(/(?=\?)/);
  const path = tenantPath(pathname, place.tenantId);
  if (path === undefined) return next();
  if (path === '/') return sendNotice(response);
  const [signIn, , user] = SIGN_IN_PATH.exec(path) ?? [];
  if (signIn !== undefined) return handleSignIn(place, request, response, user);
  if (path === DISCOVERY_PATH) return forwardToProvider(place, request, response, path.replace('/v2.0', ''));
  if (PROVIDER_PATH.test(path)) return forwardToProvider(place, request, response, path + query.join(''));
  return next();
}

/** What follows the tenant; `/` also for the mount point itself. */
function tenantPath(pathname: string, tenantId: string): string | undefined {
  const [, tenant, ...rest] = pathname.split('/');
  if (tenant === '' || tenant === undefined) return '/';
  return tenant === tenantId ? `/${rest.join('/')}` : undefined;
}

/** A sign-in that no hint answered: as the chosen user, as the hinted one, or the list to choose from. */
async function handleSignIn(
  place: MountPoint,
  request: IncomingMessage,
  response: ServerResponse,
  chosen: string | undefined,
): Promise<void> {
  const provider = await place.provider();
  try {
    const { uid, params } = await provider.interactionDetails(request, response);
    const user = chosen ?? params['login_hint'];
    if (typeof user !== 'string' || !DEVELOPMENT_USERS.has(user))
      return sendUserList(response, `${place.root.href}/interaction/${uid}`);
    await provider.interactionFinished(
      request,
      response,
      { login: { accountId: user } },
      { mergeWithLastSubmission: false },
    );
  } catch (error) {
    if (!(error instanceof Error && error.name === 'SessionNotFound')) throw error;
    sendFailure(response, 400, 'This sign-in is over or belongs to another browser. Please start again.');
  }
}

/** The provider builds addresses from the request, so the request is made to say what PUBLIC_URL says. */
async function forwardToProvider(
  { root, provider }: MountPoint,
  request: MountedRequest,
  response: ServerResponse,
  url: string,
): Promise<void> {
  const { headers } = request;
  request.url = url;
  request.originalUrl = root.pathname + url;
  headers.host = root.host;
  headers['x-forwarded-proto'] = root.protocol.slice(0, -1);
  delete headers['x-forwarded-host'];
  delete headers[':authority'];
  if (headers.cookie !== undefined) headers.cookie = stripSessionCookie(headers.cookie);
  const answer = (await provider()).callback();
  await answer(request, response);
}

function stripSessionCookie(cookies: string): string {
  return cookies
    .split(/; */)
    .filter((cookie) => !cookie.startsWith(SESSION_COOKIE))
    .join('; ');
}
