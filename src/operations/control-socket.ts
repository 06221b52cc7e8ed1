import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { HindsightError, type ErrorCode } from '../errors.js';
import type { ServiceOperations } from './operations-port.js';

/** Nobody waits longer for a service that does not even take the call. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Longest socket path that Linux takes is 107 bytes, macOS 103. */
const MAX_PATH_BYTES = 100;

/** A method of the service by its name; its last argument, where it is a function, hears of progress instead of being sent. */
interface ControlCall {
  readonly call: string;
  readonly args: readonly unknown[];
  /** There where the caller wants to hear of progress: optional arguments stay what they are. */
  readonly hears?: true;
}

type CallFailure = Pick<HindsightError, 'message' | 'fields'> & { readonly code?: ErrorCode };
type ControlReply = { readonly progress: unknown } | { readonly result: unknown } | { readonly error: CallFailure };
type MethodTable = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** Where the running service of a data folder listens for its operator. */
export function controlSocketPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'control.sock');
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  return join(
    tmpdir(),
    `hindsight-${userInfo().uid}`,
    `${createHash('sha256').update(path).digest('hex').slice(0, 24)}.sock`,
  );
}

/** Takes one call a connection, a JSON object a line. Whoever may open the socket may operate the service: only its owner may. */
export function serveControlSocket(path: string, service: ServiceOperations): Promise<Server> {
  createPrivateFolder(dirname(path));
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).once('line', (line) => void answerCall(socket, line, service));
  });
  return new Promise((done, failed) => {
    server.once('error', failed);
    // The socket is created with these permissions: changed afterwards, it would be open to all for a moment.
    const mask = process.umask(0o177);
    server.listen(path, () => done(server));
    process.umask(mask);
  });
}

/** A folder that others may write to is no place for the socket: they could put their own there. */
function createPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0))
    throw new Error(`${folder} can be written by others: the control socket cannot be there`);
}

async function answerCall(socket: Socket, line: string, service: ServiceOperations): Promise<void> {
  const reply = (value: ControlReply) => socket.writable && socket.write(`${JSON.stringify(value)}\n`);
  try {
    const { call, args, hears } = JSON.parse(line) as ControlCall;
    if (!Object.hasOwn(service, call)) throw new Error(`the service does not know ${call}: it is of another version`);
    const method = (service as unknown as MethodTable)[call];
    const listener = hears === undefined ? [] : [(progress: unknown) => reply({ progress })];
    reply({ result: await method(...args, ...listener) });
  } catch (error) {
    const { message, code, fields = [] } = error as Partial<HindsightError> & Error;
    reply({ error: { message, ...(code !== undefined && { code }), fields } });
  }
  socket.end();
}

/** The service that runs on this socket, or undefined when none does. */
export async function connectControlSocket(path: string): Promise<ServiceOperations | undefined> {
  if (!(await isListening(path))) return undefined;
  const method =
    (call: string) =>
    (...written: unknown[]) => {
      const given = trimTrailingUndefined(written);
      const last = given.at(-1);
      if (typeof last !== 'function') return sendCall(path, { call, args: given });
      return sendCall(path, { call, args: given.slice(0, -1), hears: true }, last as (progress: unknown) => void);
    };
  // `then` would make a promise of it.
  return new Proxy(
    {},
    { get: (_target, name) => (typeof name === 'string' && name !== 'then' ? method(name) : undefined) },
  ) as ServiceOperations;
}

/** JSON would make null of an optional argument that is undefined. */
function trimTrailingUndefined(given: readonly unknown[]): readonly unknown[] {
  return given.slice(0, given.findLastIndex((each) => each !== undefined) + 1);
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
    lines.once('close', () => failed(new Error('the service closed the connection before it had answered')));
  });
}

function toError({ message, code, fields }: CallFailure): Error {
  return code === undefined ? new Error(message) : new HindsightError(code, message, fields);
}
