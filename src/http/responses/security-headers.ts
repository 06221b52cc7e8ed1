import type { RequestHandler } from 'express';
import helmet, { strictTransportSecurity } from 'helmet';
import type { ClientResolver } from '../connection/client-resolver.js';

/** HSTS for one year (RFC 6797), only in responses to requests over HTTPS, as the RFC requires. */
export function createTransportSecurityHeaders(clients: ClientResolver): RequestHandler {
  const setHsts = strictTransportSecurity({ maxAge: 31_536_000, includeSubDomains: false });
  return (request, response, next) => {
    if (clients.resolve(request.socket, request.headers).secure) setHsts(request, response, next);
    else next();
  };
}

/** For JSON and plain text: no scripts, frames, content sniffing or caching. */
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

/** For mounted pages that set their own content policy and caching. */
export function createPageHeaders(): RequestHandler {
  return helmet({ contentSecurityPolicy: false, strictTransportSecurity: false });
}
