import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { DEVELOPMENT_USERS } from './development-directory.js';
import { sendFailure, sendNotice, sendUserList } from './development-pages.js';
import { SESSION_COOKIE } from './configured-oidc-provider.js';

export interface MountPoint {
  /** Public URL of the tenant, without trailing slash. */
  readonly root: URL;
  readonly tenantId: string;
  readonly provider: () => Promise<Provider>;
}

interface MountedRequest extends IncomingMessage {
  /** Set by Express: the URL before the mount path was removed. */
  originalUrl?: string;
}

const SIGN_IN_PATH = /^\/interaction\/([\w-]+)(?:\/(\w+))?$/;
const PROVIDER_PATH = /^\/(?:oauth2\/v2\.0\/(?:authorize(?:\/[\w-]+)?|token|revoke|userinfo)|discovery\/v2\.0\/keys)$/;
const DISCOVERY_PATH = '/v2.0/.well-known/openid-configuration';

/** Routes requests below the mount path to the sign-in pages and the provider; calls `next` for other paths. */
export async function serveIdentity(
  mount: MountPoint,
  request: MountedRequest,
  response: ServerResponse,
  next: () => void,
): Promise<void> {
  const [pathname = '/', ...query] = (request.url ?? '/').split(/(?=\?)/);
  const path = tenantPath(pathname, mount.tenantId);
  if (path === undefined) return next();
  if (path === '/') return sendNotice(response);
  const [signIn, , user] = SIGN_IN_PATH.exec(path) ?? [];
  if (signIn !== undefined) return handleSignIn(mount, request, response, user);
  if (path === DISCOVERY_PATH) return forwardToProvider(mount, request, response, path.replace('/v2.0', ''));
  if (PROVIDER_PATH.test(path)) return forwardToProvider(mount, request, response, path + query.join(''));
  return next();
}

/** Path after the tenant; `/` also for the mount path itself. */
function tenantPath(pathname: string, tenantId: string): string | undefined {
  const [, tenant, ...rest] = pathname.split('/');
  if (tenant === '' || tenant === undefined) return '/';
  return tenant === tenantId ? `/${rest.join('/')}` : undefined;
}

/** Completes a sign-in as the chosen or hinted user, or shows the list of users. */
async function handleSignIn(
  mount: MountPoint,
  request: IncomingMessage,
  response: ServerResponse,
  chosenUser: string | undefined,
): Promise<void> {
  const provider = await mount.provider();
  try {
    const { uid, params } = await provider.interactionDetails(request, response);
    const user = chosenUser ?? params['login_hint'];
    if (typeof user !== 'string' || !DEVELOPMENT_USERS.has(user))
      return sendUserList(response, `${mount.root.href}/interaction/${uid}`);
    await provider.interactionFinished(
      request,
      response,
      { login: { accountId: user } },
      { mergeWithLastSubmission: false },
    );
  } catch (error) {
    if (!(error instanceof Error && error.name === 'SessionNotFound')) throw error;
    sendFailure(response, 400, 'This sign-in has ended or was started in another browser. Start again.');
  }
}

/** The provider derives URLs from the request, so the request is rewritten to match PUBLIC_URL. */
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
  const handleRequest = (await provider()).callback();
  await handleRequest(request, response);
}

function stripSessionCookie(cookies: string): string {
  return cookies
    .split(/; */)
    .filter((cookie) => !cookie.startsWith(SESSION_COOKIE))
    .join('; ');
}
