/**
 * What may stand in a log line. Anything that a client can influence ends up here sooner or later, so every value is
 * cut, freed of secrets and of characters that a terminal would obey, and the whole record has one budget.
 */

export const MAX_TEXT = 2048;
const MAX_RECORD = 16_384;
const MAX_DEPTH = 5;
const TRUNCATED = '…[cut]';
const REDACTED = '[redacted]';

/** Ends of field names, without case and punctuation, whose values never reach the log. `keyId` is fine, `apiKey` is not. */
const CONFIDENTIAL_NAMES =
  /(authorization|cookie|apikey|password|passwd|passphrase|secret|token|prompt|body|privatekey|credentials|jwt|jwk|assertion|codeverifier)$/;

/** Secrets by their own shape, wherever they stand: our keys, bearer and basic credentials, JWTs, `user:password@` of an address. */
const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/(?<![A-Za-z0-9])hs_[A-Za-z0-9-]+_[A-Za-z0-9_-]+/g, REDACTED],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{12,}/gi, `$1 ${REDACTED}`],
  [/\beyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*){0,4}/g, REDACTED],
  [/:\/\/[^\s/@]+@/g, `://${REDACTED}@`],
];

/** JSON escapes C0 controls; these it leaves: DEL and C1 (terminals obey CSI), line separators, bidirectional overrides. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The text without secrets and control characters, at most `MAX_TEXT` characters and the mark of the cut. */
export function sanitizeText(text: string): string {
  // Twice the limit is examined, so that a secret across the cut is seen whole.
  let clean = text.slice(0, 2 * MAX_TEXT);
  for (const [shape, replacement] of SECRET_PATTERNS) clean = clean.replace(shape, replacement);
  clean = clean.replace(UNPRINTABLE, '\ufffd');
  return text.length > 2 * MAX_TEXT || clean.length > MAX_TEXT ? clean.slice(0, MAX_TEXT) + TRUNCATED : clean;
}

/** Copies a record for the log. Never throws, whatever it is given: cycles end at the depth bound. */
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

/** Secrets and addresses have one, which is the form to log. */
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
  const kept = text.length > budget.left ? text.slice(0, Math.max(0, budget.left)) + TRUNCATED : text;
  budget.left -= kept.length;
  return kept;
}

/** An error's own fields hide from enumeration; of its extra members the code and the errors that it gathers help. */
function listMembers(source: object): [string, unknown][] {
  if (!(source instanceof Error)) return tryRead(() => Object.entries(source)) ?? [];
  const { name, message, code, errors, stack, cause }: Error & { code?: unknown; errors?: unknown } = source;
  return Object.entries({ name, message, code, errors, stack, cause });
}

/** The result, or undefined where a getter or proxy of the logged object throws: a log line must not break its caller. */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
