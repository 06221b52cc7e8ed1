import { ERROR_CODES, HindsightError, type ErrorCode, type FieldError } from '../../errors.js';

const API_VERSION = '2.0';
/** Longer than the service itself works on an answer. */
const TIMEOUT_MS = 70_000;

/** A problem that the service answered. `code` is there where it is one of ours. */
interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

/** Calls the API of a service elsewhere with a bearer token. */
export class ServiceApiClient {
  #token: Promise<string> | undefined;

  /**
   * @param url base address, without a slash at its end
   * @param tokenOf asked before the first call
   */
  constructor(
    readonly url: string,
    private readonly tokenOf: () => Promise<string>,
  ) {}

  get<Answer>(path: string): Promise<Answer> {
    return this.#call('GET', path) as Promise<Answer>;
  }

  send<Answer>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Answer> {
    return this.#call(method, path, body) as Promise<Answer>;
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    this.#token ??= this.tokenOf();
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
      throw new HindsightError('unavailable', `${this.url} cannot be reached: ${findFailureReason(cause)}`, [], {
        cause,
      });
    });
    if (response.status === 204) return undefined;
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw toProblemError(answer, response, this.url);
    if (answer === undefined)
      throw new HindsightError('unavailable', `${this.url} answers no JSON: is it a Hindsight service?`);
    return answer;
  }
}

/** A path of the API; what is put in is escaped. */
export function buildApiPath(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return texts.reduce((whole, text, at) => `${whole}${encodePathSegment(String(values[at - 1]))}${text}`);
}

/** Every client and proxy takes dots for a way up, escaped or not: the request would be another one. */
function encodePathSegment(value: string): string {
  if (value === '.' || value === '..')
    throw new HindsightError(
      'invalid-request',
      `"${value}" cannot be named in an address; on the machine of the service it can`,
    );
  return encodeURIComponent(value);
}

function toProblemError(answer: unknown, { status, headers }: Response, url: string): Error {
  if (!isProblemDocument(answer))
    return new HindsightError('unavailable', `${url} answers ${status}: is it a Hindsight service?`);
  const { type, title, errors = [] } = answer;
  const slug = type.slice(type.lastIndexOf('/') + 1);
  const wait = headers.get('retry-after');
  const detail = answer.detail === '' ? title : answer.detail;
  const message = [detail, ...(wait === null ? [] : [`  → again in ${wait} s`]), ...suggestNextStep(slug, url)].join(
    '\n',
  );
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

/** `fetch failed` says nothing; its cause does. */
function findFailureReason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
