import { Readable } from 'node:stream';
import type { JSONWebKeySet } from 'jose';
import { discoverProvider } from '../provider-discovery.js';
import type { FetchJwks } from './jwks-cache.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

/** Issuer identifier of a tenant in the directory. */
export function issuerUrl(authUrl: string, tenantId: string): string {
  return `${authUrl.replace(/\/+$/, '')}/${tenantId}/v2.0`;
}

/**
 * Fetches the issuer's keys via its discovery document. The document is read with the first fetch and again after a
 * failed one, because the keys may have moved. Each response must arrive within the timeout. `onIssuer` is called with the
 * issuer as the document spells it, before its keys are returned.
 */
export function createJwksFetcher(
  issuer: string,
  timeoutMs: number = TIMEOUT_MS,
  onIssuer: (published: string) => void = () => undefined,
): FetchJwks {
  let address: URL | undefined;
  return async () => {
    const keysUrl = address ?? (await discoverJwksUrl(issuer, timeoutMs, onIssuer));
    address = undefined;
    const keys = await fetchJwks(keysUrl, timeoutMs);
    address = keysUrl;
    return keys;
  };
}

/** openid-client checks that the document names this issuer. */
async function discoverJwksUrl(issuer: string, timeoutMs: number, onIssuer: (published: string) => void): Promise<URL> {
  const metadata = (await discoverProvider(issuer, { id: 'hindsight' }, { timeoutMs })).serverMetadata();
  const address = new URL(metadata.jwks_uri ?? '', issuer);
  if (address.protocol !== 'https:' && new URL(issuer).protocol !== 'http:')
    throw new Error(`${issuer} publishes its keys over an unencrypted connection`);
  onIssuer(metadata.issuer);
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
