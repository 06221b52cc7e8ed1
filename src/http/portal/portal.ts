import { Router as ExpressRouter, type RequestHandler } from 'express';
import { apiHeaders } from '../security-headers.js';
import { portalHeaders } from './content-policy.js';
import type { PortalFiles } from './portal-files.js';
import { sessionPage, type SessionPage } from './session-page.js';
import { signInPages, type SignInPages } from './sign-in-pages.js';
import { staticPages } from './static-pages.js';

export interface PortalSettings extends SessionPage, SignInPages {
  /** Absent: it was not built. */
  readonly files?: PortalFiles | undefined;
}

const DYNAMIC = ['/session', '/sign-in', '/sign-out', '/callback'];

/** Everything below `/portal`. */
export function servePortal(settings: PortalSettings): RequestHandler {
  const portal = ExpressRouter({ caseSensitive: true, strict: true });
  portal.use(DYNAMIC, apiHeaders());
  portal.use(sessionPage(settings), signInPages(settings), portalHeaders(), staticPages(settings.files));
  return portal;
}
