import { createServer, request as sendRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { Duplex, Readable } from 'node:stream';
import type { CustomFetch } from 'openid-client';

/**
 * `fetch` to a listener of this process without the network: the public URL may not be reachable from here, and its
 * certificate may not be trusted.
 */
export function createInProcessFetch(listener: RequestListener): CustomFetch {
  const server = createServer(listener);
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const { pathname, search, host } = new URL(url);
      const [clientEnd, serverEnd] = createConnectedStreams();
      server.emit('connection', serverEnd);
      const clientRequest = sendRequest(
        {
          createConnection: () => clientEnd,
          method,
          path: pathname + search,
          headers: { ...headers, host, connection: 'close' },
          signal,
        },
        (response) => resolve(toResponse(response)),
      );
      clientRequest.once('error', reject);
      clientRequest.end(body instanceof URLSearchParams ? body.toString() : body);
    });
}

function toResponse(response: IncomingMessage): Response {
  const headers = new Headers(
    Object.entries(response.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    ),
  );
  return new Response(Readable.toWeb(response) as ReadableStream, { status: response.statusCode ?? 500, headers });
}

/** Two connected streams: each reads what the other writes. */
function createConnectedStreams(): [Duplex, Duplex] {
  const clientEnd = new StreamEnd();
  const serverEnd = new StreamEnd();
  clientEnd.other = serverEnd;
  serverEnd.other = clientEnd;
  return [clientEnd, serverEnd];
}

class StreamEnd extends Duplex {
  other: StreamEnd | undefined;
  private resumeWriter: (() => void) | undefined;

  override _read(): void {
    const { resumeWriter } = this;
    this.resumeWriter = undefined;
    resumeWriter?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const { other } = this;
    if (other === undefined || other.push(chunk)) done();
    else other.resumeWriter = done;
  }

  override _final(done: () => void): void {
    this.other?.push(null);
    done();
  }
}
