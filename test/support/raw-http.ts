import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  /** Status line and headers as received. */
  readonly head: string;
  readonly body: string;
}

/** Sends arbitrary bytes and reads until the server closes the connection. Rejects after 10 s. */
export function exchange(port: number, bytes: string | Uint8Array, localAddress = '127.0.0.1'): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(bytes));
    socket.setTimeout(10_000, () => socket.destroy(new Error('the server left the connection open')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('close', () => resolve(split(Buffer.concat(chunks).toString('latin1'))));
  });
}

/** A request with exactly this target and these headers, and `Connection: close`. */
export function rawRequest(method: string, target: string, headers: readonly string[] = [], body = ''): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: test', 'Connection: close', ...headers, '', body].join('\r\n');
}

function split(text: string): RawReply {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: end < 0 ? '' : text.slice(end + 4) };
}
