import type { ErrorCode } from '../../errors.js';

/** What every problem of one type has in common. `explanation` is the page behind the type's address. */
export interface ProblemType {
  readonly status: number;
  readonly title: string;
  readonly explanation: string;
  /** Seconds after which the same request may succeed; only where the fault itself does not say. */
  readonly retryAfterSeconds?: number;
}

/** Faults that exist only on this wire; all others carry a code of `errors.ts`, which is then their slug. */
type HttpOnlySlug =
  | 'api-version'
  | 'headers-too-large'
  | 'internal-error'
  | 'malformed-http'
  | 'malformed-json'
  | 'method-not-allowed'
  | 'request-timeout'
  | 'unsupported-media-type';

export type ProblemSlug = ErrorCode | HttpOnlySlug;

/** Every problem type that the API can answer with. Slugs are part of the contract: never renamed. */
export const PROBLEM_TYPES: Readonly<Record<ProblemSlug, ProblemType>> = {
  'api-version': {
    status: 400,
    title: 'API version missing or unknown',
    explanation:
      'Name the version on every request: query parameter api-version=2.0 or header X-Api-Version: 2.0. Where both are given they must agree.',
  },
  'assistant-disabled': {
    status: 403,
    title: 'Assistant disabled',
    explanation:
      'The assistant is switched off for the Grid: its daily prompt limit is 0. An Owner of the Grid can change that.',
  },
  'audio-too-large': {
    status: 413,
    title: 'Audio too large',
    explanation: 'A recording may have 1 MiB (1,048,576 bytes) and last 10 minutes.',
  },
  'audio-unsupported': {
    status: 415,
    title: 'Audio not supported',
    explanation: 'A recording is a WAV, MP3 or OGG (Vorbis, Opus) file. What counts is its content, not its name.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    explanation:
      'What is there does not admit the change; the member "detail" says why. Where somebody else changed the same thing at the same moment, read it again and repeat the change.',
  },
  'daily-prompt-limit': {
    status: 429,
    title: 'Daily prompt limit reached',
    explanation:
      'The prompts that a user has for this Grid on one day are used up; days are those of UTC. The header Retry-After says in how many seconds the next day begins.',
  },
  'energy-exhausted': {
    status: 429,
    title: 'Energy exhausted',
    explanation:
      'The caller has no energy left for a reply, in any Grid. It regenerates by itself; the header Retry-After says in how many seconds the next of it comes.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    explanation:
      'The caller is known but has no access here: no member of the Grid, an API key of another Grid, or an application without the required permission. A Grid that does not exist answers the same.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Header fields too large',
    explanation: 'Request line and headers together may have 16 KiB.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    explanation:
      'The service failed in a way that it did not foresee. The correlation id in the problem leads the operator to the line in the log that tells more.',
  },
  'invalid-request': {
    status: 400,
    title: 'Invalid request',
    explanation:
      'Path, query or body are not as the operation requires. The member "errors" lists every fault: the field and what is wrong with it.',
  },
  'last-owner': {
    status: 409,
    title: 'Last Owner',
    explanation: 'A Grid keeps at least one Owner. Make somebody else Owner first.',
  },
  'malformed-http': {
    status: 400,
    title: 'Malformed HTTP',
    explanation: 'What arrived is no HTTP/1.1 request.',
  },
  'malformed-json': {
    status: 400,
    title: 'Malformed JSON',
    explanation: 'The body is no JSON text in UTF-8.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The path exists, but not with this method. The header Allow lists those that it takes.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation: 'No such path, or nothing is known under the id in it.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    explanation:
      'The service has more work than it can do now. Repeat the request after the time in the header Retry-After.',
    retryAfterSeconds: 1,
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    explanation:
      'What is there is not what the header If-Match names: somebody else has changed it since it was read. Read it again, and repeat the change with its new ETag.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The calls that a user or a Grid may make in a minute are used up. The header Retry-After says in how many seconds the next one is welcome.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    explanation: 'The request did not arrive completely within its time: headers have 15 seconds, all of it 30.',
  },
  'role-required': {
    status: 403,
    title: 'Role required',
    explanation: 'The caller is a member of the Grid, but the operation needs a role that this member does not have.',
  },
  'session-limit-reached': {
    status: 409,
    title: 'Session limit reached',
    explanation:
      'The Grid has as many assistant sessions in use as it may have at once. End one of them, or wait until one ends by itself after 30 idle minutes.',
  },
  'session-not-found': {
    status: 404,
    title: 'Session not found',
    explanation:
      "No assistant session of the caller is in use under this id: it never was, it has been ended, it was idle for 30 minutes, or it is somebody else's. Start a new one.",
  },
  'speech-minutes-exceeded': {
    status: 429,
    title: 'Speech minutes used up',
    explanation:
      'The audio does not fit into the speech minutes that the Grid has left in this month; months are those of UTC. The header Retry-After says in how many seconds the next one begins.',
  },
  'speech-unavailable': {
    status: 503,
    title: 'Speech unavailable',
    explanation:
      'This machine has no engine for the speech that was asked for. The member "detail" says what its operator has to install.',
  },
  'subscription-inactive': {
    status: 403,
    title: 'Subscription inactive',
    explanation: 'The subscription of the Grid is not active. Its data are kept and come back with it.',
  },
  'too-large': {
    status: 413,
    title: 'Content too large',
    explanation: 'A request body may have 1 MiB (1,048,576 bytes).',
  },
  unauthenticated: {
    status: 401,
    title: 'Unauthenticated',
    explanation:
      'Send either Authorization: Bearer with an access token or api-key with the key of a Grid, once, as a header. An expired token wants a fresh one; a revoked or regenerated key is gone.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    explanation:
      'Something that the answer needs is away for the moment. Repeat the request after the time in the header Retry-After.',
    retryAfterSeconds: 5,
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    explanation: 'Bodies are application/json in UTF-8, without a content encoding.',
  },
};

export function isProblemSlug(text: string): text is ProblemSlug {
  return Object.hasOwn(PROBLEM_TYPES, text);
}
