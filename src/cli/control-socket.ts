import { createHash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Operations, Progress } from './operations.js';

/** Longest socket path that Linux takes is 107 bytes, macOS 103. */
const LONGEST_PATH = 100;

type Call = { readonly [Name in keyof Operations]: { readonly call: Name; readonly projection: string } }[keyof Operations];
type Reply = { readonly progress: Progress } | { readonly result: unknown } | { readonly error: string };

/** Where the running service of a data folder listens for its operator. */
export function controlPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'control.sock');
  if (Buffer.byteLength(path) <= LONGEST_PATH) return path;
  return join(tmpdir(), `hindsight-${createHash('sha256').update(path).digest('hex').slice(0, 24)}.sock`);
}

/** Takes one call a connection, a JSON object a line. Whoever may open the socket (mode 0600) may operate the service. */
export function serveControl(path: string, operations: Operations): Promise<Server> {
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).once('line', (line) => void answer(socket, line, operations));
  });
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(path, () => {
      chmodSync(path, 0o600);
      done(server);
    });
  });
}

async function answer(socket: Socket, line: string, operations: Operations): Promise<void> {
  const reply = (value: Reply) => socket.writable && socket.write(`${JSON.stringify(value)}\n`);
  try {
    const call = JSON.parse(line) as Call;
    reply({ result: await perform(call, operations, (progress) => reply({ progress })) });
  } catch (error) {
    reply({ error: (error as Error).message });
  }
  socket.end();
}

function perform(call: Call, operations: Operations, onProgress: (progress: Progress) => void): Promise<unknown> {
  switch (call.call) {
    case 'projections':
      return operations.projections();
    case 'replay':
      return operations.replay(call.projection, onProgress);
    case 'verify':
      return operations.verify(call.projection);
    default:
      throw new Error('unknown call');
  }
}

/** The service that runs on this socket, or undefined when none does. */
export async function connectControl(path: string): Promise<Operations | undefined> {
  if (!(await listens(path))) return undefined;
  return {
    projections: () => ask(path, { call: 'projections', projection: '' }),
    replay: (projection, onProgress) => ask(path, { call: 'replay', projection }, onProgress),
    verify: (projection) => ask(path, { call: 'verify', projection }),
  };
}

function listens(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('error', () => done(false));
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
  });
}

function ask<Result>(path: string, call: Call, onProgress?: (progress: Progress) => void): Promise<Result> {
  return new Promise((done, failed) => {
    const socket = connect(path, () => socket.write(`${JSON.stringify(call)}\n`));
    socket.once('error', failed);
    const lines = createInterface({ input: socket });
    lines.on('line', (line) => {
      const reply = JSON.parse(line) as Reply;
      if ('progress' in reply) onProgress?.(reply.progress);
      else if ('result' in reply) done(reply.result as Result);
      else failed(new Error(reply.error));
    });
    lines.once('close', () => failed(new Error('the service closed the connection before it had answered')));
  });
}
