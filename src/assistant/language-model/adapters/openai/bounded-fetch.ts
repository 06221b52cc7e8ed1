import { ModelError } from '../../language-model.js';

/** Limit of a response body, after decompression. */
const MAX_BYTES = 1_048_576;

/** Headers that are sent: nothing that identifies this machine or its environment. */
const HEADERS = ['accept', 'authorization', 'content-type'];

/** Fetches from a single endpoint: no redirects, at most 1 MB per response. */
export function createBoundedFetch(
  endpoint: URL,
): (url: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const target = new URL(url instanceof Request ? url.url : url);
    if (target.origin !== endpoint.origin)
      throw new ModelError('refused', 'Blocked a request to an address other than the model endpoint');
    const headers = [...new Headers(init?.headers)].filter(([name]) => HEADERS.includes(name));
    const response = await fetch(target, { ...init, headers, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ModelError('refused', 'The model endpoint redirects to another address');
    }
    return new Response(await readLimitedBody(response), {
      status: response.status,
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    });
  };
}

async function readLimitedBody(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // Leaving the loop cancels the response.
    if (length > MAX_BYTES) throw new ModelError('malformed', `The model response exceeds ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
