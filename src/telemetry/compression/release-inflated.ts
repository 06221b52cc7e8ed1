import type { TransferEncoding } from './content-encoding.js';

/** Takes what it is sent and drops it. */
const closedPort = new MessageChannel().port1;
closedPort.close();

/**
 * Returns the memory of a decompressed body at once. V8 counts buffers outside its heap and collects the garbage of the
 * whole heap for every 64 MB of them, which costs more than to decompress them. `bytes` was returned by a function of
 * this project that decompresses `encoding`; it and its views MUST NOT be used any more. No effect on what does not come
 * from zlib, and on what is small enough to share a buffer with others.
 */
export function releaseInflated(bytes: Uint8Array, encoding: TransferEncoding): void {
  const { buffer } = bytes;
  if (encoding !== 'gzip' && encoding !== 'deflate') return;
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength <= Buffer.poolSize) return;
  closedPort.postMessage(undefined, [buffer]);
}
