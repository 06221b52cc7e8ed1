import createClient, { type Middleware } from 'openapi-fetch';
import { getAccessToken, forgetSession, SignedOutError } from '../session/session-store';
import { ApiError, type Problem } from './api-error';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

/** Drops a rejected token: the next request fetches a new one or finds that the user is signed out. */
function forgetRejectedToken({ status }: Response): void {
  if (status === 401) forgetSession();
}

/** Adds the API version and the access token to each request. The token is kept in memory only. */
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

/** API client, typed by the OpenAPI document. Wrap calls in `unwrapResponse`, which throws on errors. */
export const api = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin' });
api.use(authMiddleware);

interface ApiResponse<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** A record with the ETag to send as If-Match when it is changed. */
export interface WithEtag<Data> {
  readonly record: Data;
  readonly etag: string;
}

/** The response body. Rejects with an `ApiError` on any other status than success, and if the service is unreachable (status 0). */
export async function unwrapResponse<Data>(request: Promise<ApiResponse<Data>>): Promise<NonNullable<Data>> {
  return (await requireSuccess(request)).data;
}

/** Like `unwrapResponse`, with the ETag of the record. */
export async function unwrapResponseWithEtag<Data>(
  request: Promise<ApiResponse<Data>>,
): Promise<WithEtag<NonNullable<Data>>> {
  const { data, response } = await requireSuccess(request);
  const etag = response.headers.get('etag');
  if (etag === null) throw new TypeError('The response has no ETag header.');
  return { record: data, etag };
}

async function requireSuccess<Data>(
  request: Promise<ApiResponse<Data>>,
): Promise<{ readonly data: NonNullable<Data>; readonly response: Response }> {
  const { data, error, response } = await request.catch((cause: unknown) => {
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

/** Response body of an operation that the typed client does not cover, such as images and audio. Errors as in `unwrapResponse`. */
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
