import { createServer, request as ask, type IncomingMessage, type RequestListener } from 'node:http';
import { Duplex, Readable } from 'node:stream';
import type { CustomFetch } from 'openid-client';

/**
 * Asks a server of this process without the network: the address under which browsers reach us need not lead from
 * ourselves to us, and its certificate need not be one that we trust.
 */
export function createInProcessFetch(listener: RequestListener): CustomFetch {
  const server = createServer(listener);
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const { pathname, search, host } = new URL(url);
      const [ours, theirs] = createConnectedStreams();
      server.emit('connection', theirs);
      const sent = ask(
        {
          createConnection: () => ours,
          method,
          path: pathname + search,
          headers: { ...headers, host, connection: 'close' },
          signal,
        },
        (answer) => resolve(toResponse(answer)),
      );
      sent.once('error', reject);
      sent.end(body instanceof URLSearchParams ? body.toString() : body);
    });
}

function toResponse(answer: IncomingMessage): Response {
  const headers = new Headers(
    Object.entries(answer.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    ),
  );
  return new Response(Readable.toWeb(answer) as ReadableStream, { status: answer.statusCode ?? 500, headers });
}

/** Two ends: what one writes, the other reads. */
function createConnectedStreams(): [Duplex, Duplex] {
  const ours = new StreamEnd();
  const theirs = new StreamEnd();
  ours.other = theirs;
  theirs.other = ours;
  return [ours, theirs];
}

class StreamEnd extends Duplex {
  other: StreamEnd | undefined;
  private goOn: (() => void) | undefined;

  override _read(): void {
    const { goOn } = this;
    this.goOn = undefined;
    goOn?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const { other } = this;
    if (other === undefined || other.push(chunk)) done();
    else other.goOn = done;
  }

  override _final(done: () => void): void {
    this.other?.push(null);
    done();
  }
}
