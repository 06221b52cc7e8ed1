import {
  type DeviceAuthorizationResponse,
  initiateDeviceAuthorization,
  pollDeviceAuthorizationGrant,
} from 'openid-client';
import { HindsightError } from '../../errors.js';
import type { AuthorizationServer } from './authorization-server.js';
import { throwSignInError } from './loopback-sign-in.js';
import { toTokens, type Tokens } from './login-tokens.js';
import { toAuthorizationParameters } from './sign-in-request.js';

/** What the user enters, on any device with a browser. */
export interface DeviceCode {
  readonly code: string;
  readonly address: string;
  /** The address with the code in it; absent if the issuer has none. */
  readonly completeAddress?: string | undefined;
}

export interface DeviceSignInOptions {
  readonly show: (code: DeviceCode) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Signs a user in with a browser on another device (RFC 8628). Resolves once the user has confirmed the code. Rejects with
 * `invalid-request` if the issuer does not offer this, and with `unauthenticated` if it refuses or the code expires.
 */
export async function signInWithDeviceCode(
  server: AuthorizationServer,
  { show, now }: DeviceSignInOptions,
): Promise<Tokens> {
  const { configuration, issuer, request } = server;
  if (configuration.serverMetadata().device_authorization_endpoint === undefined)
    throw new HindsightError(
      'invalid-request',
      `the identity provider ${issuer} does not offer codes for other devices\n  → hindsight login --no-browser`,
    );
  const parameters = toAuthorizationParameters(configuration, request);
  const started = await initiateDeviceAuthorization(configuration, parameters).catch(throwSignInError);
  show(toDeviceCode(started));
  const granted = await pollDeviceAuthorizationGrant(configuration, started).catch(throwSignInError);
  return toTokens(server, granted, now());
}

function toDeviceCode(started: DeviceAuthorizationResponse): DeviceCode {
  return {
    code: started.user_code,
    address: started.verification_uri,
    completeAddress: started.verification_uri_complete,
  };
}
