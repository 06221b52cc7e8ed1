import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** What pages of the portal may do: run and show what comes from here, and nothing from anywhere else. */
const CONTENT_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'font-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'media-src': ['blob:'],
  'connect-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'require-trusted-types-for': ["'script'"],
};

/** Push-to-talk needs the microphone; nothing else of the machine is asked for. */
const PERMISSIONS = 'microphone=(self), camera=(), geolocation=(), payment=(), usb=()';

export function portalHeaders(): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: CONTENT_POLICY },
      xFrameOptions: { action: 'deny' },
      // With no-referrer a form of ours would say the origin null, and over plain http nothing else tells whose it is.
      referrerPolicy: { policy: 'same-origin' },
      strictTransportSecurity: false,
    }),
    (_request, response, next) => {
      response.setHeader('Permissions-Policy', PERMISSIONS);
      next();
    },
  ];
}
