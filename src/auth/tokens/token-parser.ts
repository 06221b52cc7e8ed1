/** Maximum length of a compact token: ten times what directories issue. */
export const MAX_TOKEN_LENGTH = 16 * 1024;
const MAX_KEY_ID_LENGTH = 256;
const MAX_NESTING = 32;
export const TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256'] as const;
export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number];

/** Parsed token header: signature algorithm and key. */
export interface TokenHeader {
  readonly alg: TokenAlgorithm;
  readonly kid: string;
  /** Whether the header declares an access token (RFC 9068). */
  readonly declaredAccessToken: boolean;
}

export type Claims = Readonly<Record<string, unknown>>;
const COMPACT_JWS_PATTERN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Extensions, and parameters with which a token would supply its own key. Access tokens need none of them. */
const REFUSED_MEMBERS = ['crit', 'b64', 'jku', 'jwk', 'x5u', 'x5c', 'zip', 'enc'] as const;

const ACCEPTED_TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt'];

/** Parses the header of a well-formed token; undefined if its signature need not be checked. */
export function parseTokenHeader(token: string): TokenHeader | undefined {
  if (token.length > MAX_TOKEN_LENGTH || !COMPACT_JWS_PATTERN.test(token)) return undefined;
  const segments = token.split('.');
  const header = segments.every(isCanonical) ? parseJsonObject(Buffer.from(segments[0] ?? '', 'base64url')) : undefined;
  if (header === undefined || REFUSED_MEMBERS.some((name) => Object.hasOwn(header, name))) return undefined;
  const { alg, kid } = header;
  const type = normalizeType(header.typ);
  if (!isTokenAlgorithm(alg) || !isKeyId(kid) || !ACCEPTED_TYPES.includes(type)) return undefined;
  return { alg, kid, declaredAccessToken: type === 'at+jwt' };
}

/**
 * Parses a JSON object without duplicate members and with at most 32 levels of nesting; undefined for anything else.
 * Parsers disagree about duplicate members (RFC 7519 §4).
 */
export function parseJsonObject(bytes: Uint8Array): Claims | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const { members, depth } = measureJson(text);
    return depth <= MAX_NESTING && members === Object.keys(value).length ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Counts the members of the outermost object and the nesting depth. `json` MUST be valid JSON. */
function measureJson(json: string): { members: number; depth: number } {
  let members = 0;
  let depth = 0;
  let level = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === '"') index = findStringEnd(json, index);
    else if (character === '{' || character === '[') depth = Math.max(depth, ++level);
    else if (character === '}' || character === ']') level -= 1;
    else if (character === ':' && level === 1) members += 1;
  }
  return { members, depth };
}

function findStringEnd(json: string, start: number): number {
  let index = start + 1;
  while (json[index] !== '"') index += json[index] === '\\' ? 2 : 1;
  return index;
}

/** Rejects unused bits in the last character, which would allow several spellings of one token. */
function isCanonical(segment: string): boolean {
  return Buffer.from(segment, 'base64url').toString('base64url') === segment;
}

function normalizeType(typ: unknown): unknown {
  return typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
}

function isTokenAlgorithm(alg: unknown): alg is TokenAlgorithm {
  return TOKEN_ALGORITHMS.some((accepted) => accepted === alg);
}

function isKeyId(kid: unknown): kid is string {
  return typeof kid === 'string' && kid !== '' && kid.length <= MAX_KEY_ID_LENGTH;
}
