import { Readable } from 'node:stream';
import type { JSONWebKeySet } from 'jose';
import { allowInsecureRequests, discovery, None } from 'openid-client';
import type { FetchJwks } from './jwks-cache.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

/** Issuer identifier of a tenant in the directory. */
export function issuerUrl(authUrl: string, tenantId: string): string {
  return `${authUrl.replace(/\/+$/, '')}/${tenantId}/v2.0`;
}

/**
 * Fetches the issuer's keys via its discovery document. The document is read with the first fetch and again after a
 * failed one, because the keys may have moved. Each response must arrive within the timeout.
 */
export function createJwksFetcher(issuer: string, timeoutMs: number = TIMEOUT_MS): FetchJwks {
  let address: URL | undefined;
  return async () => {
    const keysUrl = address ?? (await discoverJwksUrl(new URL(issuer), timeoutMs));
    address = undefined;
    const keys = await fetchJwks(keysUrl, timeoutMs);
    address = keysUrl;
    return keys;
  };
}

/** openid-client checks that the document names exactly this issuer. */
async function discoverJwksUrl(issuer: URL, timeoutMs: number): Promise<URL> {
  const isInsecure = issuer.protocol === 'http:';
  const execute = isInsecure ? [allowInsecureRequests] : [];
  const configuration = await discovery(issuer, 'hindsight', undefined, None(), { timeout: timeoutMs / 1000, execute });
  const address = new URL(configuration.serverMetadata().jwks_uri ?? '', issuer);
  if (address.protocol !== 'https:' && !isInsecure)
    throw new Error(`${issuer.href} publishes its keys over an unencrypted connection`);
  return address;
}

async function fetchJwks(address: URL, timeoutMs: number): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(address, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${address.href} responded with status ${response.status}`);
  const keySet: unknown = JSON.parse(await readBoundedText(response));
  if (!isKeySet(keySet)) throw new Error(`${address.href} returned no JSON Web Key Set`);
  return keySet;
}

async function readBoundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> = response.body ?? Readable.from([]);
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`${response.url} returned more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  if (typeof value !== 'object' || value === null || !('keys' in value) || !Array.isArray(value.keys)) return false;
  return value.keys.every((key: unknown) => typeof key === 'object' && key !== null && 'kty' in key);
}
