import createClient, { type Middleware } from 'openapi-fetch';
import { accessToken, forgetSession, SignedOut } from '../session/token';
import { ApiError, type Problem } from './problem';
import type { components, paths } from './schema.d';

export type Schemas = components['schemas'];

/** A token that is refused is not shown again: the next question fetches another, or hears that nobody is signed in. */
function forgetRefused({ status }: Response): void {
  if (status === 401) forgetSession();
}

/** Every call says its version and carries the token, which lives in memory alone. */
const credentials: Middleware = {
  async onRequest({ request }) {
    request.headers.set('X-Api-Version', '2.0');
    request.headers.set('Authorization', `Bearer ${await accessToken()}`);
    return request;
  },
  onResponse({ response }) {
    forgetRefused(response);
  },
};

/** The API, typed by its own document. Use `answerOf` to get the answer or have the problem thrown. */
export const api = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin' });
api.use(credentials);

interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** A record, and the tag by which a change says that it is meant for this one and no other. */
export interface Tagged<Data> {
  readonly record: Data;
  readonly etag: string;
}

/** The answer itself; rejects with an `ApiError` for anything else. */
export async function answerOf<Data>(asked: Promise<Answered<Data>>): Promise<NonNullable<Data>> {
  return (await succeeded(asked)).data;
}

/** The same with its tag, of what can be changed. */
export async function taggedAnswerOf<Data>(asked: Promise<Answered<Data>>): Promise<Tagged<NonNullable<Data>>> {
  const { data, response } = await succeeded(asked);
  const etag = response.headers.get('etag');
  if (etag === null) throw new TypeError('The service sent no tag with what can be changed.');
  return { record: data, etag };
}

async function succeeded<Data>(
  asked: Promise<Answered<Data>>,
): Promise<{ readonly data: NonNullable<Data>; readonly response: Response }> {
  const { data, error, response } = await asked.catch((cause: unknown) => {
    throw cause instanceof ApiError ||
      cause instanceof SignedOut ||
      (cause instanceof Error && cause.name === 'AbortError')
      ? cause
      : new ApiError(0, {});
  });
  if (!response.ok)
    throw new ApiError(
      response.status,
      typeof error === 'object' && error !== null ? error : {},
      requestIdOf(response),
    );
  return { data: data as NonNullable<Data>, response };
}

const requestIdOf = (response: Response): string | undefined => response.headers.get('x-request-id') ?? undefined;

/** Bytes of an operation that answers with a picture or sound. */
export async function bytesOf(path: string, init: RequestInit = {}): Promise<Blob> {
  const headers = { 'X-Api-Version': '2.0', Authorization: `Bearer ${await accessToken()}`, ...init.headers };
  const response = await fetch(path, { ...init, headers }).catch(() => {
    throw new ApiError(0, {});
  });
  forgetRefused(response);
  if (!response.ok)
    throw new ApiError(
      response.status,
      (await response.json().catch(() => ({}))) as Partial<Problem>,
      requestIdOf(response),
    );
  return response.blob();
}
