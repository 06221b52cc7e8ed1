import { connect, type Socket } from 'node:net';

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

const TYPES = { data: 0, headers: 1, priority: 2, reset: 3, settings: 4, ping: 6, windowUpdate: 8 } as const;

function frame(type: keyof typeof TYPES, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.byteLength, 0, 3);
  head.writeUInt8(TYPES[type], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A literal header field without indexing, by the static index of its name (RFC 7541, section 6.2.2). */
const literal = (nameIndex: number, value: string): Buffer =>
  Buffer.concat([Buffer.of(nameIndex, value.length), Buffer.from(value)]);

/** A literal header field with a literal name. */
const custom = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.of(0, name.length), Buffer.from(name), Buffer.of(value.length), Buffer.from(value)]);

const POST = Buffer.concat([Buffer.of(0x83, 0x86), literal(4, '/v1/traces'), literal(1, '127.0.0.1')]);

/** HTTP/2 frames as a client without manners writes them. */
export const FRAMES = {
  settings: (): Buffer => frame('settings', 0, 0),
  /** The head of a POST request; `ended`: without a body. */
  request: (
    stream: number,
    { ended = false, headers = {} }: { ended?: boolean; headers?: Record<string, string> } = {},
  ): Buffer =>
    frame(
      'headers',
      ended ? 5 : 4,
      stream,
      Buffer.concat([POST, ...Object.entries(headers).map((each) => custom(...each))]),
    ),
  data: (stream: number, payload: Uint8Array): Buffer => frame('data', 0, stream, payload),
  reset: (stream: number): Buffer => frame('reset', 0, stream, uint32(8)),
  ping: (): Buffer => frame('ping', 0, 0, Buffer.alloc(8)),
  windowUpdate: (stream: number, more: number): Buffer => frame('windowUpdate', 0, stream, uint32(more)),
  /** A stream that depends on itself: nghttp2 ends the session and leaves the connection open. */
  selfDependency: (stream: number): Buffer =>
    frame('priority', 0, stream, Buffer.concat([uint32(stream), Buffer.of(1)])),
  /** Streams may send the client this many bytes. */
  streamWindow: (bytes: number): Buffer => frame('settings', 0, 0, Buffer.concat([Buffer.of(0, 4), uint32(bytes)])),
};

/** A connection that has sent preface and settings, reads everything, and never closes by itself. */
export function connectRaw(port: number, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  socket.on('error', () => undefined).resume();
  socket.write(Buffer.concat([PREFACE, FRAMES.settings()]));
  return socket;
}

/** Requests that are reset at once, on odd streams from `first`. */
export function resetRequests(count: number, first = 1, headers?: Record<string, string>): Buffer {
  const streams = Array.from({ length: count }, (_, n) => first + 2 * n);
  return Buffer.concat(streams.flatMap((stream) => [FRAMES.request(stream, { headers }), FRAMES.reset(stream)]));
}
