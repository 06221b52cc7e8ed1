/** Default page after a sign-in. */
export const PORTAL_HOME = '/portal/';

/** Paths served by the service itself: returning there would cause a redirect loop. */
const SIGN_IN_PATHS = new Set(['/portal/sign-in', '/portal/sign-out', '/portal/callback', '/portal/session']);
const MAX_CHARS = 2_000;
/** Base for parsing paths as browsers do; not part of the result. */
const PLACEHOLDER_ORIGIN = 'http://portal.invalid';

/** Path, query and fragment of a portal page; the home page for anything else, such as links to other sites. */
export function toReturnPath(requestedPath: string | null | undefined): string {
  if (
    requestedPath === null ||
    requestedPath === undefined ||
    requestedPath.length > MAX_CHARS ||
    !URL.canParse(requestedPath, PLACEHOLDER_ORIGIN)
  )
    return PORTAL_HOME;
  const { origin, pathname, search, hash } = new URL(requestedPath, PLACEHOLDER_ORIGIN);
  const isPortalPage =
    origin === PLACEHOLDER_ORIGIN &&
    pathname.startsWith(PORTAL_HOME) &&
    !SIGN_IN_PATHS.has(pathname.replace(/\/+$/, ''));
  return isPortalPage ? pathname + search + hash : PORTAL_HOME;
}
