/** Attributes that carry credentials in what instrumentation records by itself: the last part of their keys. */
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

/** Keys that are looked up again and again, in every span. */
const MAX_CACHED_KEYS = 10_000;

/**
 * Whether an attribute is one of `names`: as a whole, or by the part after its last dot, as in `http.request.header.authorization`. Case does
 * not count, nor whether words are joined by `-` or `_`.
 */
export function createSecretAttributeFilter(names: readonly string[]): (key: string) => boolean {
  const secret = new Set(names.map(normalizeKey));
  const known = new Map<string, boolean>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) {
      const whole = normalizeKey(key);
      found = secret.has(whole) || secret.has(whole.slice(whole.lastIndexOf('.') + 1));
      if (known.size < MAX_CACHED_KEYS) known.set(key, found);
    }
    return found;
  };
}

function normalizeKey(key: string): string {
  return key.trim().toLowerCase().replaceAll('-', '_');
}
