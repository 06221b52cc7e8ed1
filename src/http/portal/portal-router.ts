import { Router as ExpressRouter, type RequestHandler } from 'express';
import type { LinkAcknowledgements } from '../../commands/notifications/link-acknowledgement.js';
import { createAcknowledgementRouter } from './acknowledgement-page.js';
import { createApiHeaders } from '../responses/send-response.js';
import { createStaticHandler, type PortalFiles } from './portal-files.js';
import { createSessionRouter, type SessionEndpointSettings } from './session-endpoint.js';
import { createSignInRouter, type SignInPageSettings } from './sign-in-pages.js';
import helmet from 'helmet';

export interface PortalSettings extends SessionEndpointSettings, SignInPageSettings {
  /** Absent if the portal has not been built. */
  readonly files?: PortalFiles | undefined;
  /** Acknowledges by the links in messages. Absent: there are no such links. */
  readonly linkAcknowledgements?: LinkAcknowledgements | undefined;
}

const UNCACHED_PATHS = ['/session', '/sign-in', '/sign-out', '/callback', '/acknowledge'];

/** Serves everything below `/portal`. */
export function createPortalRouter(settings: PortalSettings): RequestHandler {
  const portal = ExpressRouter({ caseSensitive: true, strict: true });
  portal.use(UNCACHED_PATHS, createApiHeaders());
  portal.use(
    createSessionRouter(settings),
    createSignInRouter(settings),
    createAcknowledgementRouter(settings.linkAcknowledgements),
    createPortalHeaders(),
    createStaticHandler(settings.files),
  );
  return portal;
}

/** Content policy of the portal: resources of this origin only. */
const PORTAL_CONTENT_POLICY = {
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

/** Push-to-talk needs the microphone; all other device features are disabled. */
const PERMISSIONS = 'microphone=(self), camera=(), geolocation=(), payment=(), usb=()';

function createPortalHeaders(): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: PORTAL_CONTENT_POLICY },
      xFrameOptions: { action: 'deny' },
      // With no-referrer, forms would send the origin null, and over plain HTTP there is no other header for the same-origin check.
      referrerPolicy: { policy: 'same-origin' },
      strictTransportSecurity: false,
    }),
    (_request, response, next) => {
      response.setHeader('Permissions-Policy', PERMISSIONS);
      next();
    },
  ];
}
