import type { Socket } from 'node:net';

/** How every HTTP/2 connection begins (RFC 9113, section 3.4). No HTTP/1.1 method starts with its first three letters. */
const PREFACE = Buffer.from('PRI');

export type Protocol = 'http1' | 'http2';

/** Undefined while the bytes may still become either. */
export function protocolOf(firstBytes: Uint8Array): Protocol | undefined {
  const compared = Math.min(firstBytes.byteLength, PREFACE.byteLength);
  if (PREFACE.compare(firstBytes, 0, compared, 0, compared) !== 0) return 'http1';
  return compared === PREFACE.byteLength ? 'http2' : undefined;
}

/**
 * Finds out which protocol a fresh connection speaks, puts back what it read, and hands the socket on.
 * A connection that does not say within `patienceMs` is destroyed.
 */
export function sniffProtocol(socket: Socket, patienceMs: number, handOn: (protocol: Protocol) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const look = (): void => {
    seen = Buffer.concat([seen, (socket.read() as Buffer | null) ?? Buffer.alloc(0)]);
    const protocol = seen.byteLength === 0 ? undefined : protocolOf(seen);
    if (protocol === undefined) return;
    stop();
    socket.unshift(seen);
    handOn(protocol);
  };
  const giveUp = (): void => void socket.destroy();
  const timer = setTimeout(giveUp, patienceMs);
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('readable', look).off('end', giveUp).off('close', stop);
  };
  socket.on('readable', look).on('end', giveUp).on('close', stop);
}
