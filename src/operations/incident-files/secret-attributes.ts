/** Last part of the keys of attributes in which common instrumentation records credentials. */
export const SECRET_ATTRIBUTES: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'password',
  'passwd',
  'secret',
  'client_secret',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'api_key',
  'apikey',
  'x-api-key',
  'private_key',
];

/** Cached lookups: the same keys occur in every span. */
const MAX_CACHED_KEYS = 10_000;

/**
 * Returns a predicate for attribute keys that match one of `names`, as a whole or by the part after the last dot, as in
 * `http.request.header.authorization`. Ignores case, and treats `-` and `_` alike.
 */
export function createSecretAttributeFilter(names: readonly string[]): (key: string) => boolean {
  const secret = new Set(names.map(normalizeKey));
  const cache = new Map<string, boolean>();
  return (key) => {
    let isSecret = cache.get(key);
    if (isSecret === undefined) {
      const normalized = normalizeKey(key);
      isSecret = secret.has(normalized) || secret.has(normalized.slice(normalized.lastIndexOf('.') + 1));
      if (cache.size < MAX_CACHED_KEYS) cache.set(key, isSecret);
    }
    return isSecret;
  };
}

function normalizeKey(key: string): string {
  return key.trim().toLowerCase().replaceAll('-', '_');
}
