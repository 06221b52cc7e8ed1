import { ModelError } from '../../language-model.js';

/** Of an answer, whatever its encoding inflates to. */
const MAX_BYTES = 1_048_576;

/** What leaves beside the body: nothing that tells of this machine, and nothing from the environment. */
const HEADERS = ['accept', 'authorization', 'content-type'];

/** Fetches from the one endpoint: follows no redirect, and reads no more than a megabyte. */
export function createBoundedFetch(
  endpoint: URL,
): (url: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const target = new URL(url instanceof Request ? url.url : url);
    if (target.origin !== endpoint.origin)
      throw new ModelError('refused', 'A request to another address than that of the model');
    const headers = [...new Headers(init?.headers)].filter(([name]) => HEADERS.includes(name));
    const response = await fetch(target, { ...init, headers, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ModelError('refused', 'The endpoint of the model leads elsewhere');
    }
    return new Response(await readLimitedBody(response), {
      status: response.status,
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    });
  };
}

async function readLimitedBody(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return null;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    length += piece.length;
    // Leaving the loop cancels the answer.
    if (length > MAX_BYTES) throw new ModelError('malformed', `The model answered more than ${MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}
