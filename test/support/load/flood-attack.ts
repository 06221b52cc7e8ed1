import { connect, type Socket } from 'node:net';
import { connectRaw, FRAMES, resetRequests } from '../../unit/http/otlp/support/http2-frames.js';
import { FloodedConnections, type FloodOrder, type FloodReport } from './flood-process.js';

/** The program of a `FloodProcess`: floods a port until told to stop, and reconnects at once whenever it is disconnected. */

const [order] = process.argv.slice(2).map((text) => JSON.parse(text) as FloodOrder);
const connections = new FloodedConnections();

const HALF_HEAD = 'POST /v1/traces HTTP/1.1\r\nHost: x\r\n';
const HALF_BODY = `${HALF_HEAD}api-key: ${order.apiKey}\r\ncontent-type: application/x-protobuf\r\ncontent-length: 1000\r\n\r\nabc`;
const PIPELINE = Buffer.from('GET /live HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000));
const RESETS = resetRequests(300);
const UPDATES = Buffer.concat(Array.from({ length: 2_000 }, () => FRAMES.windowUpdate(0, 1)));

/** Writes as fast as the service reads. */
function writeForever(socket: Socket, next: () => Uint8Array): void {
  const go = (): void => {
    if (socket.destroyed) return;
    if (socket.write(next())) setImmediate(go);
    else socket.once('drain', go);
  };
  go();
}

function resetStreams(socket: Socket): void {
  let stream = 1;
  writeForever(socket, () => {
    if (stream === 1) return ((stream = 601), RESETS);
    return resetRequests(300, (stream += 600) - 600);
  });
}

function openHttp2(): Socket {
  return connectRaw(order.port, order.from).once('end', function (this: Socket) {
    this.destroy();
  });
}

/** Sends a text and disconnects. */
function sendAndGo(text: string): Socket {
  const socket = connect({ port: order.port, host: '127.0.0.1', localAddress: order.from });
  socket.on('error', () => undefined).resume();
  socket.write(text, () => socket.destroy());
  return socket;
}

const ATTACKS: Readonly<Record<FloodOrder['kind'], () => Socket>> = {
  resets: () => {
    const socket = openHttp2();
    resetStreams(socket);
    return socket;
  },
  'resets after the settings': () => {
    const socket = openHttp2();
    return socket.once('data', () => resetStreams(socket));
  },
  'control frames': () => {
    const socket = openHttp2();
    writeForever(socket, () => UPDATES);
    return socket;
  },
  'control frames after the settings': () => {
    const socket = openHttp2();
    return socket.once('data', () => writeForever(socket, () => UPDATES));
  },
  'pipelined requests': () => {
    const socket = connect({ port: order.port, host: '127.0.0.1', localAddress: order.from });
    socket.on('error', () => undefined).resume();
    writeForever(socket, () => PIPELINE);
    return socket;
  },
  'half requests': () => sendAndGo(HALF_HEAD),
  'half bodies': () => sendAndGo(HALF_BODY),
};

function reconnect(): void {
  if (connections.isOver) return;
  const socket = ATTACKS[order.kind]();
  connections.add(socket);
  socket.once('close', () => setImmediate(reconnect));
}

process.once('message', () => {
  // The open ones go on, until the service has closed them.
  void connections.waitUntilClosed().then((report: FloodReport) => process.send!(report, () => process.exit()));
});
for (let n = 0; n < order.connections; n++) reconnect();
