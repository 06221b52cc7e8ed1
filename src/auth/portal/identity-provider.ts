import { allowInsecureRequests, ClientSecretPost, customFetch, discovery, None, type Configuration, type CustomFetch } from 'openid-client';
import { HindsightError } from '../../errors.js';

const TIMEOUT_SECONDS = 10;

/** Where users of the portal sign in, and as which client it asks there. */
export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret?: string | undefined;
  /** How its endpoints are reached: over the network, unless said otherwise. */
  readonly fetch?: CustomFetch | undefined;
}

/** Asks the issuer for its endpoints when they are first needed, and again after it could not be asked. */
export function identityProvider(options: ProviderOptions): () => Promise<Configuration> {
  let asked: Promise<Configuration> | undefined;
  return () => {
    asked ??= discover(options).catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

async function discover({ issuer, clientId, clientSecret, fetch }: ProviderOptions): Promise<Configuration> {
  const execute = new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : [];
  const authentication = clientSecret === undefined ? None() : ClientSecretPost(clientSecret);
  const found = discovery(new URL(issuer), clientId, undefined, authentication, { timeout: TIMEOUT_SECONDS, execute, ...(fetch !== undefined && { [customFetch]: fetch }) });
  return found.catch((cause: unknown) => {
    throw new HindsightError('unavailable', 'The identity provider cannot be asked.', [], { cause });
  });
}
