/** Where who has signed in is led when nothing else was asked for. */
export const PORTAL_HOME = '/portal/';

/** Ours are answered by the service: leading back there would go round in circles. */
const SIGN_IN_PATHS = new Set(['/portal/sign-in', '/portal/sign-out', '/portal/callback', '/portal/session']);
const MAX_CHARS = 2_000;
/** Only to be left out again: paths are read against it as browsers would. */
const PLACEHOLDER_ORIGIN = 'http://portal.invalid';

/** A page of the portal that was asked for, as path, query and fragment; home for anything else, whoever wrote the link. */
export function toReturnPath(asked: string | null | undefined): string {
  if (asked === null || asked === undefined || asked.length > MAX_CHARS || !URL.canParse(asked, PLACEHOLDER_ORIGIN))
    return PORTAL_HOME;
  const { origin, pathname, search, hash } = new URL(asked, PLACEHOLDER_ORIGIN);
  const inside =
    origin === PLACEHOLDER_ORIGIN &&
    pathname.startsWith(PORTAL_HOME) &&
    !SIGN_IN_PATHS.has(pathname.replace(/\/+$/, ''));
  return inside ? pathname + search + hash : PORTAL_HOME;
}
