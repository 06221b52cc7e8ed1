import type { ErrorCode } from '../../errors.js';

/** A problem type. `explanation` is the text of the page at its URL. */
export interface ProblemType {
  readonly status: number;
  readonly title: string;
  readonly explanation: string;
  /** Default for Retry-After, in seconds; only for types whose errors carry no retry time of their own. */
  readonly retryAfterSeconds?: number;
}

/** Problems that exist only in HTTP. All other slugs are error codes of `errors.ts`. */
type HttpOnlySlug =
  | 'api-version'
  | 'headers-too-large'
  | 'internal-error'
  | 'malformed-http'
  | 'malformed-json'
  | 'method-not-allowed'
  | 'key-kind'
  | 'request-timeout'
  | 'unsupported-media-type';

export type ProblemSlug = ErrorCode | HttpOnlySlug;

/** All problem types of the API. Slugs are part of the API contract and MUST NOT be renamed. */
export const PROBLEM_TYPES: Readonly<Record<ProblemSlug, ProblemType>> = {
  'api-version': {
    status: 400,
    title: 'API version missing or unknown',
    explanation:
      'Send the API version with every request, in the query parameter api-version=2.0 or the header X-Api-Version: 2.0. If you send both, they must match.',
  },
  'assistant-disabled': {
    status: 403,
    title: 'Assistant disabled',
    explanation:
      'The assistant is disabled for this Grid because its daily prompt limit is 0. An Owner of the Grid can change the limit.',
  },
  'audio-too-large': {
    status: 413,
    title: 'Audio too large',
    explanation: 'A recording may be at most 1 MiB (1,048,576 bytes) and 10 minutes long.',
  },
  'audio-unsupported': {
    status: 415,
    title: 'Audio not supported',
    explanation:
      'Send a WAV, MP3 or OGG (Vorbis, Opus) file. The format is detected from the content, not from the file name.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    explanation:
      'The request conflicts with the current state of the resource; "detail" gives the reason. If somebody else changed the resource at the same time, read it again and repeat the change.',
  },
  'daily-prompt-limit': {
    status: 429,
    title: 'Daily prompt limit reached',
    explanation:
      'The user has used all prompts for this Grid today (UTC). The Retry-After header gives the number of seconds until the next day.',
  },
  'energy-exhausted': {
    status: 429,
    title: 'Energy exhausted',
    explanation:
      'The caller has no energy left for a reply. Energy is shared across all Grids and regenerates automatically. The Retry-After header gives the number of seconds until more is available.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    explanation:
      'The credentials are valid but do not grant access: the caller is not a member of the Grid, the API key belongs to another Grid, or the application lacks the required permission. A Grid that does not exist gives the same response.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Header fields too large',
    explanation: 'The request line and headers together may be at most 16 KiB.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    explanation:
      'The service encountered an unexpected error. Give the correlation id from the problem to the operator, who can find the details in the service log.',
  },
  'invalid-request': {
    status: 400,
    title: 'Invalid request',
    explanation:
      'The path, the query or the body is invalid. The "errors" member lists every invalid field and the reason.',
  },
  'key-kind': {
    status: 403,
    title: 'Wrong kind of API key',
    explanation:
      'A key of the kind send only sends telemetry, a key of the kind read only calls the API, a key of the kind full does both. Issue a key of the kind that you need.',
  },
  'last-owner': {
    status: 409,
    title: 'Last Owner',
    explanation: 'A Grid must have at least one Owner. Assign the Owner role to another member first.',
  },
  'malformed-http': {
    status: 400,
    title: 'Malformed HTTP',
    explanation: 'The received data is not a valid HTTP/1.1 request.',
  },
  'malformed-json': {
    status: 400,
    title: 'Malformed JSON',
    explanation: 'The request body is not valid UTF-8 JSON.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The path exists but does not support this method. The Allow header lists the supported methods.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation: 'The path does not exist, or no resource has the id given in it.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    explanation: 'The service is temporarily overloaded. Retry after the time given in the Retry-After header.',
    retryAfterSeconds: 1,
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    explanation:
      'The resource has changed since it was read and no longer matches the If-Match header. Read it again and repeat the change with the new ETag.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The per-minute request limit of the caller or of the Grid is exhausted. The Retry-After header gives the number of seconds to wait.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    explanation:
      'The request did not arrive in time: the headers must arrive within 15 seconds, the complete request within 30 seconds.',
  },
  'role-required': {
    status: 403,
    title: 'Role required',
    explanation: 'The caller is a member of the Grid but does not have a role that permits this operation.',
  },
  'session-limit-reached': {
    status: 409,
    title: 'Session limit reached',
    explanation:
      'The Grid has reached its limit of concurrent assistant sessions. End a session, or wait until one expires after 30 minutes without use.',
  },
  'session-not-found': {
    status: 404,
    title: 'Session not found',
    explanation:
      'The caller has no active assistant session with this id. The id may be wrong, the session may have ended or expired after 30 minutes without use, or it may belong to another user. Start a new session.',
  },
  'speech-minutes-exceeded': {
    status: 429,
    title: 'Speech minutes used up',
    explanation:
      'The audio would exceed the speech minutes that the Grid has left this month (UTC). The Retry-After header gives the number of seconds until the next month.',
  },
  'speech-unavailable': {
    status: 503,
    title: 'Speech unavailable',
    explanation: 'The server has no engine for this kind of speech. "detail" tells the operator what to install.',
  },
  'subscription-inactive': {
    status: 403,
    title: 'Subscription inactive',
    explanation:
      'The subscription of the Grid is inactive. Its data is retained and becomes accessible again when the subscription is reactivated.',
  },
  'too-large': {
    status: 413,
    title: 'Content too large',
    explanation: 'A request body may be at most 1 MiB (1,048,576 bytes).',
  },
  unauthenticated: {
    status: 401,
    title: 'Unauthenticated',
    explanation:
      'Send valid credentials once, in a header: either an access token (Authorization: Bearer) or the API key of a Grid (api-key). Replace an expired token with a new one. Revoked or regenerated keys are no longer valid.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    explanation:
      'A component that the service needs is temporarily unavailable. Retry after the time given in the Retry-After header.',
    retryAfterSeconds: 5,
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    explanation:
      'Send JSON as application/json in UTF-8 and files as multipart/form-data, both without a content encoding.',
  },
};

export function isProblemSlug(text: string): text is ProblemSlug {
  return Object.hasOwn(PROBLEM_TYPES, text);
}
