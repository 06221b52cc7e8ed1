import { Readable } from 'node:stream';
import type { JSONWebKeySet } from 'jose';
import { allowInsecureRequests, discovery, None } from 'openid-client';
import type { FetchJwks } from './jwks-cache.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

/** Issuer identifier of a directory's tenant. */
export function issuerUrl(authUrl: string, tenantId: string): string {
  return `${authUrl.replace(/\/+$/, '')}/${tenantId}/v2.0`;
}

/**
 * Keys of the issuer, found through its discovery document. The document is read with the first fetch,
 * and again after a fetch that failed, as the keys may have moved. Each answer must come within the time-out.
 */
export function createJwksFetcher(issuer: string, timeoutMs: number = TIMEOUT_MS): FetchJwks {
  let address: URL | undefined;
  return async () => {
    const from = address ?? (await discoverJwksUrl(new URL(issuer), timeoutMs));
    address = undefined;
    const keys = await fetchJwks(from, timeoutMs);
    address = from;
    return keys;
  };
}

/** The document must name exactly this issuer, which openid-client checks. */
async function discoverJwksUrl(issuer: URL, timeoutMs: number): Promise<URL> {
  const plain = issuer.protocol === 'http:';
  const execute = plain ? [allowInsecureRequests] : [];
  const configuration = await discovery(issuer, 'hindsight', undefined, None(), { timeout: timeoutMs / 1000, execute });
  const address = new URL(configuration.serverMetadata().jwks_uri ?? '', issuer);
  if (address.protocol !== 'https:' && !plain) throw new Error(`${issuer.href} publishes its keys without encryption`);
  return address;
}

async function fetchJwks(address: URL, timeoutMs: number): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(address, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${address.href} answers ${response.status}`);
  const keySet: unknown = JSON.parse(await readBoundedText(response));
  if (!isKeySet(keySet)) throw new Error(`${address.href} gives no key set`);
  return keySet;
}

async function readBoundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> = response.body ?? Readable.from([]);
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`${response.url} answers more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  if (typeof value !== 'object' || value === null || !('keys' in value) || !Array.isArray(value.keys)) return false;
  return value.keys.every((key: unknown) => typeof key === 'object' && key !== null && 'kty' in key);
}
