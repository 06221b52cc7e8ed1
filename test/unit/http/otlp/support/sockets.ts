import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A bare connection that never fails a test by being reset. */
export function rawSocket(port: number, firstBytes: string | Uint8Array = '', localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  if (firstBytes.length > 0) socket.write(firstBytes);
  return socket;
}

/** Everything that the peer sends until it closes. */
export async function readToClose(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  if (!socket.closed) await once(socket, 'close');
  return text;
}

/** Waits until something holds; the runner's timeout is the limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** A promise that the test settles, for a store or an validator that is to hang. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
