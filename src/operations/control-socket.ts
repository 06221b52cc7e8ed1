import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { HindsightError, type ErrorCode } from '../errors.js';
import type { ServiceOperations } from './operations-port.js';

/** Time (ms) for connecting to the service. */
const CONNECT_TIMEOUT_MS = 5_000;
/** The longest socket path is 107 bytes on Linux, 103 on macOS. */
const MAX_PATH_BYTES = 100;

/**
 * One call of a service method. A progress listener as last argument is not sent; the service sends progress instead.
 */
interface ControlCall {
  readonly call: string;
  readonly args: readonly unknown[];
  /** Set when the caller passed a progress listener. */
  readonly wantsProgress?: true;
}

/** Names on the socket that differ from those of the methods: command line and service may be of different versions. */
const NAMES_ON_SOCKET: Readonly<Record<string, string>> = {
  listDeadLetters: 'parked',
  retryDeadLetters: 'retryParked',
};
const METHODS_BY_NAME = new Map(Object.entries(NAMES_ON_SOCKET).map(([method, name]) => [name, method]));

type CallFailure = Pick<HindsightError, 'message' | 'fields'> & { readonly code?: ErrorCode };
type ControlReply = { readonly progress: unknown } | { readonly result: unknown } | { readonly error: CallFailure };
type MethodTable = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** Path of the socket on which the running service of a data folder accepts operator commands. */
export function controlSocketPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'control.sock');
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  return join(
    tmpdir(),
    `hindsight-${userInfo().uid}`,
    `${createHash('sha256').update(path).digest('hex').slice(0, 24)}.sock`,
  );
}

/**
 * Serves one call per connection, one JSON object per line. Anyone who can open the socket can operate the service; the
 * file mode permits only its owner.
 */
export function serveControlSocket(path: string, service: ServiceOperations): Promise<Server> {
  createPrivateFolder(dirname(path));
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).once('line', (line) => void answerCall(socket, line, service));
  });
  return new Promise((done, failed) => {
    server.once('error', failed);
    // The umask sets the mode at creation: with a later chmod the socket would be open to all for a moment.
    const mask = process.umask(0o177);
    server.listen(path, () => done(server));
    process.umask(mask);
  });
}

/** Throws when others may write to the folder: they could replace the socket. */
function createPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0))
    throw new Error(`Others can write to ${folder}; cannot create the control socket there`);
}

async function answerCall(socket: Socket, line: string, service: ServiceOperations): Promise<void> {
  const reply = (value: ControlReply) => socket.writable && socket.write(`${JSON.stringify(value)}\n`);
  try {
    const { call, args, wantsProgress } = JSON.parse(line) as ControlCall;
    const name = METHODS_BY_NAME.get(call) ?? call;
    if (!Object.hasOwn(service, name))
      throw new Error(`The running service has another version and does not know the operation ${call}`);
    const method = (service as unknown as MethodTable)[name];
    const listener = wantsProgress === undefined ? [] : [(progress: unknown) => reply({ progress })];
    reply({ result: await method(...args, ...listener) });
  } catch (error) {
    const { message, code, fields = [] } = error as Partial<HindsightError> & Error;
    reply({ error: { message, ...(code !== undefined && { code }), fields } });
  }
  socket.end();
}

/** Connects to the service that listens on this socket; undefined when none does. */
export async function connectControlSocket(path: string): Promise<ServiceOperations | undefined> {
  if (!(await isListening(path))) return undefined;
  const method =
    (name: string) =>
    (...allArgs: unknown[]) => {
      const call = NAMES_ON_SOCKET[name] ?? name;
      const args = trimTrailingUndefined(allArgs);
      const listener = args.at(-1);
      if (typeof listener !== 'function') return sendCall(path, { call, args });
      return sendCall(
        path,
        { call, args: args.slice(0, -1), wantsProgress: true },
        listener as (progress: unknown) => void,
      );
    };
  // Without `then`, await does not take the proxy for a promise.
  return new Proxy(
    {},
    { get: (_target, name) => (typeof name === 'string' && name !== 'then' ? method(name) : undefined) },
  ) as ServiceOperations;
}

/** JSON would turn an undefined optional argument into null. */
function trimTrailingUndefined(args: readonly unknown[]): readonly unknown[] {
  return args.slice(0, args.findLastIndex((each) => each !== undefined) + 1);
}

function isListening(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('timed out')));
    socket.once('error', () => done(false));
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
  });
}

function sendCall(path: string, call: ControlCall, onProgress?: (progress: unknown) => void): Promise<unknown> {
  return new Promise((done, failed) => {
    const socket = connect(path, () => socket.write(`${JSON.stringify(call)}\n`));
    socket.once('error', failed);
    const lines = createInterface({ input: socket });
    lines.on('line', (line) => {
      const reply = JSON.parse(line) as ControlReply;
      if ('progress' in reply) onProgress?.(reply.progress);
      else if ('error' in reply) failed(toError(reply.error));
      else done(reply.result);
    });
    lines.once('close', () => failed(new Error('The service closed the connection without a reply')));
  });
}

function toError({ message, code, fields }: CallFailure): Error {
  return code === undefined ? new Error(message) : new HindsightError(code, message, fields);
}
