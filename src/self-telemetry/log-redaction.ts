/**
 * Sanitizes log records. Because clients influence logged values, every value is truncated and stripped of secrets and
 * of terminal control characters, and each record has a total size limit.
 */

export const MAX_TEXT = 2048;
const MAX_RECORD = 16_384;
const MAX_DEPTH = 5;
const TRUNCATED = '…[cut]';
const REDACTED = '[redacted]';

/**
 * Suffixes of field names (lower case, letters only) whose values are never logged. `keyId` is allowed, `apiKey` is
 * not.
 */
const CONFIDENTIAL_NAMES =
  /(authorization|cookie|apikey|password|passwd|passphrase|secret|token|prompt|body|privatekey|credentials|jwt|jwk|assertion|codeverifier)$/;

/** Secrets recognized by their form: our API keys, bearer and basic credentials, JWTs, `user:password@` in URLs. */
const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/(?<![A-Za-z0-9])hs_[A-Za-z0-9-]+_[A-Za-z0-9_-]+/g, REDACTED],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{12,}/gi, `$1 ${REDACTED}`],
  [/\beyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*){0,4}/g, REDACTED],
  [/:\/\/[^\s/@]+@/g, `://${REDACTED}@`],
];

/**
 * Characters that JSON does not escape: DEL and C1 controls (terminals interpret CSI), line separators, bidirectional
 * overrides.
 */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Removes secrets and control characters, and truncates to `MAX_TEXT` characters plus a marker. */
export function sanitizeText(text: string): string {
  // Twice the limit is examined, so that a secret that crosses the limit is recognized.
  let clean = text.slice(0, 2 * MAX_TEXT);
  for (const [shape, replacement] of SECRET_PATTERNS) clean = clean.replace(shape, replacement);
  clean = clean.replace(UNPRINTABLE, '\ufffd');
  return text.length > 2 * MAX_TEXT || clean.length > MAX_TEXT ? clean.slice(0, MAX_TEXT) + TRUNCATED : clean;
}

/** Sanitizes a record for the log. Never throws; cycles end at the depth limit. */
export function sanitizeFields(fields: object): Record<string, unknown> {
  return sanitizeMembers(fields, 0, { left: MAX_RECORD });
}

interface Budget {
  left: number;
}

function sanitizeMembers(source: object, depth: number, budget: Budget): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of listMembers(source)) {
    if (budget.left <= 0) {
      result['…'] = TRUNCATED;
      break;
    }
    const key = sanitizeText(name).slice(0, 128);
    budget.left -= key.length;
    result[key] = isConfidential(name) ? REDACTED : sanitizeValue(value, depth + 1, budget);
  }
  return result;
}

function isConfidential(name: string): boolean {
  return CONFIDENTIAL_NAMES.test(
    name
      .slice(-64)
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  );
}

function sanitizeValue(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value === 'string') return spendBudget(sanitizeText(value), budget);
  if (typeof value === 'bigint' || typeof value === 'symbol') return spendBudget(sanitizeText(String(value)), budget);
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) {
    budget.left -= 8;
    return value;
  }
  return sanitizeObject(value, depth, budget);
}

function sanitizeObject(value: object, depth: number, budget: Budget): unknown {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (depth > MAX_DEPTH) return TRUNCATED;
  if (Array.isArray(value)) return sanitizeItems(value, depth, budget);
  return hasJsonForm(value)
    ? sanitizeValue(
        tryRead(() => value.toJSON()),
        depth + 1,
        budget,
      )
    : sanitizeMembers(value, depth, budget);
}

/** Values with `toJSON`, such as secrets and URLs, are logged in that form. */
function hasJsonForm(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function sanitizeItems(items: readonly unknown[], depth: number, budget: Budget): unknown[] {
  const result: unknown[] = [];
  for (const item of items) {
    if (budget.left <= 0) return [...result, TRUNCATED];
    result.push(sanitizeValue(item, depth + 1, budget));
  }
  return result;
}

function spendBudget(text: string, budget: Budget): string {
  const truncated = text.length > budget.left ? text.slice(0, Math.max(0, budget.left)) + TRUNCATED : text;
  budget.left -= truncated.length;
  return truncated;
}

/** Fields of errors are not enumerable, so they are listed; of additional ones only `code` and `errors` are useful. */
function listMembers(source: object): [string, unknown][] {
  if (!(source instanceof Error)) return tryRead(() => Object.entries(source)) ?? [];
  const { name, message, code, errors, stack, cause }: Error & { code?: unknown; errors?: unknown } = source;
  return Object.entries({ name, message, code, errors, stack, cause });
}

/** Undefined if a getter or proxy throws: logging must not break its caller. */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
