import { ERROR_CODES, HindsightError, type ErrorCode, type FieldError } from '../../errors.js';

const API_VERSION = '2.0';
/** Time (ms) for a request: longer than the service itself works on one. */
const TIMEOUT_MS = 70_000;

/** Problem document of the service (RFC 7807). */
interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

/**
 * Calls the API of a remote service with a bearer token. Rejects with our error code where the service answers one,
 * otherwise with an `Error` whose `type` is that of the problem.
 */
export class ServiceApiClient {
  #token: Promise<string> | undefined;

  /**
   * @param url base URL without a trailing slash
   * @param requestToken called once, before the first request
   */
  constructor(
    readonly url: string,
    private readonly requestToken: () => Promise<string>,
  ) {}

  get<Answer>(path: string): Promise<Answer> {
    return this.#call('GET', path) as Promise<Answer>;
  }

  send<Answer>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Answer> {
    return this.#call(method, path, body) as Promise<Answer>;
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    this.#token ??= this.requestToken();
    const headers = {
      authorization: `Bearer ${await this.#token}`,
      'x-api-version': API_VERSION,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new HindsightError('unavailable', `Cannot reach ${this.url}: ${findFailureReason(cause)}`, [], {
        cause,
      });
    });
    if (response.status === 204) return undefined;
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw toProblemError(answer, response, this.url);
    if (answer === undefined)
      throw new HindsightError('unavailable', `${this.url} did not return JSON; check that it is a Hindsight service`);
    return answer;
  }
}

/** Template tag for an API path; inserted values are escaped. */
export function buildApiPath(literals: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return literals.reduce((path, text, at) => `${path}${encodePathSegment(String(values[at - 1]))}${text}`);
}

/** Throws for `.` and `..`: clients and proxies resolve them even if escaped, and would request another path. */
function encodePathSegment(value: string): string {
  if (value === '.' || value === '..')
    throw new HindsightError(
      'invalid-request',
      `"${value}" cannot be part of a URL; run the command on the machine of the service`,
    );
  return encodeURIComponent(value);
}

function toProblemError(answer: unknown, { status, headers }: Response, url: string): Error {
  if (!isProblemDocument(answer))
    return new HindsightError('unavailable', `${url} answered ${status}; check that it is a Hindsight service`);
  const { type, title, errors = [] } = answer;
  const slug = type.slice(type.lastIndexOf('/') + 1);
  const retryAfter = headers.get('retry-after');
  const detail = answer.detail === '' ? title : answer.detail;
  const message = [
    detail,
    ...(retryAfter === null ? [] : [`  → retry in ${retryAfter} s`]),
    ...suggestNextStep(slug, url),
  ].join('\n');
  const error = Object.hasOwn(ERROR_CODES, slug)
    ? new HindsightError(slug as ErrorCode, message, errors)
    : new Error(message);
  return Object.assign(error, { type });
}

function suggestNextStep(slug: string, url: string): readonly string[] {
  if (slug === 'unauthenticated') return [`  → hindsight login --url ${url}`];
  if (slug === 'forbidden') return ['  → hindsight grids list shows the Grids that you are a member of'];
  if (slug === 'role-required') return ['  → ask an Owner of the Grid'];
  return [];
}

function isProblemDocument(answer: unknown): answer is ProblemDocument {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'type' in answer &&
    typeof answer.type === 'string' &&
    'detail' in answer &&
    typeof answer.detail === 'string'
  );
}

/** The message of `fetch` errors is always `fetch failed`; the reason is in the cause. */
function findFailureReason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
