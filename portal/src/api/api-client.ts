import createClient, { type Middleware } from 'openapi-fetch';
import { getAccessToken, forgetSession, SignedOutError } from '../session/session-store';
import { ApiError, type Problem } from './api-error';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

/** A token that is refused is not shown again: the next question fetches another, or hears that nobody is signed in. */
function forgetRejectedToken({ status }: Response): void {
  if (status === 401) forgetSession();
}

/** Every call says its version and carries the token, which lives in memory alone. */
const authMiddleware: Middleware = {
  async onRequest({ request }) {
    request.headers.set('X-Api-Version', '2.0');
    request.headers.set('Authorization', `Bearer ${await getAccessToken()}`);
    return request;
  },
  onResponse({ response }) {
    forgetRejectedToken(response);
  },
};

/** The API, typed by its own document. Use `answerOf` to get the answer or have the problem thrown. */
export const api = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin' });
api.use(authMiddleware);

interface ApiResponse<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** A record, and the tag by which a change says that it is meant for this one and no other. */
export interface WithEtag<Data> {
  readonly record: Data;
  readonly etag: string;
}

/** The answer itself; rejects with an `ApiError` for anything else. */
export async function unwrapResponse<Data>(asked: Promise<ApiResponse<Data>>): Promise<NonNullable<Data>> {
  return (await requireSuccess(asked)).data;
}

/** The same with its tag, of what can be changed. */
export async function unwrapResponseWithEtag<Data>(
  asked: Promise<ApiResponse<Data>>,
): Promise<WithEtag<NonNullable<Data>>> {
  const { data, response } = await requireSuccess(asked);
  const etag = response.headers.get('etag');
  if (etag === null) throw new TypeError('The service sent no tag with what can be changed.');
  return { record: data, etag };
}

async function requireSuccess<Data>(
  asked: Promise<ApiResponse<Data>>,
): Promise<{ readonly data: NonNullable<Data>; readonly response: Response }> {
  const { data, error, response } = await asked.catch((cause: unknown) => {
    throw cause instanceof ApiError ||
      cause instanceof SignedOutError ||
      (cause instanceof Error && cause.name === 'AbortError')
      ? cause
      : new ApiError(0, {});
  });
  if (!response.ok)
    throw new ApiError(
      response.status,
      typeof error === 'object' && error !== null ? error : {},
      readRequestId(response),
    );
  return { data: data as NonNullable<Data>, response };
}

const readRequestId = (response: Response): string | undefined => response.headers.get('x-request-id') ?? undefined;

/** Bytes of an operation that answers with a picture or sound. */
export async function fetchBlob(path: string, init: RequestInit = {}): Promise<Blob> {
  const headers = { 'X-Api-Version': '2.0', Authorization: `Bearer ${await getAccessToken()}`, ...init.headers };
  const response = await fetch(path, { ...init, headers }).catch(() => {
    throw new ApiError(0, {});
  });
  forgetRejectedToken(response);
  if (!response.ok)
    throw new ApiError(
      response.status,
      (await response.json().catch(() => ({}))) as Partial<Problem>,
      readRequestId(response),
    );
  return response.blob();
}
