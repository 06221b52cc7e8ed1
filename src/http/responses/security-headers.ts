import type { RequestHandler } from 'express';
import helmet, { strictTransportSecurity } from 'helmet';
import type { ClientResolver } from '../connection/client-resolver.js';

/** A year of HTTPS alone (RFC 6797), said where the request came over it: by any other way nobody may say so. */
export function createTransportSecurityHeaders(clients: ClientResolver): RequestHandler {
  const insist = strictTransportSecurity({ maxAge: 31_536_000, includeSubDomains: false });
  return (request, response, next) => {
    if (clients.resolve(request.socket, request.headers).secure) insist(request, response, next);
    else next();
  };
}

/** For JSON and plain text: nothing in it may run, be framed, be sniffed or be kept by a cache. */
export function createApiHeaders(): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
      },
      xFrameOptions: { action: 'deny' },
      strictTransportSecurity: false,
    }),
    (_request, response, next) => {
      response.setHeader('Cache-Control', 'no-store');
      next();
    },
  ];
}

/** For mounted pages, which know their own content policy and caching. */
export function createPageHeaders(): RequestHandler {
  return helmet({ contentSecurityPolicy: false, strictTransportSecurity: false });
}
