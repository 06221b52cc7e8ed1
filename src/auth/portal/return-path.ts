/** Where who has signed in is led when nothing else was asked for. */
export const HOME = '/portal/';

/** Ours are answered by the service: leading back there would go round in circles. */
const OWN = new Set(['/portal/sign-in', '/portal/sign-out', '/portal/callback', '/portal/session']);
const MAX_CHARS = 2_000;
/** Only to be left out again: paths are read against it as browsers would. */
const BASE = 'http://portal.invalid';

/** A page of the portal that was asked for, as path, query and fragment; home for anything else, whoever wrote the link. */
export function returnPath(asked: string | null | undefined): string {
  if (asked === null || asked === undefined || asked.length > MAX_CHARS || !URL.canParse(asked, BASE)) return HOME;
  const { origin, pathname, search, hash } = new URL(asked, BASE);
  const inside = origin === BASE && pathname.startsWith(HOME) && !OWN.has(pathname.replace(/\/+$/, ''));
  return inside ? pathname + search + hash : HOME;
}
