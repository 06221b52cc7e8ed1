import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** For JSON and plain text: nothing in it may run, be framed, be sniffed or be kept by a cache. */
export function apiHeaders(): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } },
      xFrameOptions: { action: 'deny' },
    }),
    (_request, response, next) => {
      response.setHeader('Cache-Control', 'no-store');
      next();
    },
  ];
}

/** For mounted pages, which know their own content policy and caching. */
export function pageHeaders(): RequestHandler {
  return helmet({ contentSecurityPolicy: false });
}
