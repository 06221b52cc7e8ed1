import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { HindsightError } from '../../../../errors.js';
import { runWithTimeout } from '../../../abortable-timeout.js';
import { fileURLToPath } from 'node:url';

/** What a child may use up. The kernel of Linux holds it to memory and processor time; others do not to all of it. */
export interface ProcessLimits {
  readonly memoryMb: number;
  /** Seconds of the processor. */
  readonly processorS: number;
  readonly deadlineMs: number;
  /** Of what it writes to its standard output. */
  readonly mostOutputBytes: number;
}

export interface ProcessCommand {
  /** A path, or a name to look for in `searchPath`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly searchPath: string;
  readonly input: Uint8Array;
  readonly bounds: ProcessLimits;
}

export interface ProcessResult {
  readonly output: Buffer;
  /** The first kilobytes of what it wrote to its standard error. */
  readonly complaint: string;
  /** Undefined where a signal ended it, such as one of the kernel for a bound. */
  readonly exitCode: number | undefined;
}

const MAX_STDERR_LENGTH = 4096;
export type PipedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts a program with nothing of the service's environment, which holds its keys. A shell sets the bounds and becomes
 * the program: what it runs are arguments, never part of its script.
 */
export function startProcess({ command, args, searchPath, bounds }: Omit<ProcessCommand, 'input'>): PipedProcess {
  const env = { PATH: searchPath, LANG: 'C.UTF-8' };
  if (process.platform === 'win32') return spawn(command, args, { env, stdio: 'pipe', windowsHide: true });
  const script = `ulimit -c 0; ulimit -d ${bounds.memoryMb * 1024}; ulimit -t ${bounds.processorS}; exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', script, command, ...args], { env, stdio: 'pipe' });
}

/**
 * Runs a program to its end: whatever way that ends, the child is gone then. Rejects with the signal's reason when it aborts,
 * and with code `unavailable` at the deadline, for more output than allowed, and where no child can be started.
 */
export async function runProcess(order: ProcessCommand, signal: AbortSignal): Promise<ProcessResult> {
  signal.throwIfAborted();
  const child = startProcess(order);
  try {
    writeInput(child, order.input);
    return await runWithTimeout(signal, order.bounds.deadlineMs, () =>
      collectResult(child, order.bounds.mostOutputBytes),
    );
  } finally {
    child.kill('SIGKILL');
  }
}

function writeInput(child: PipedProcess, input: Uint8Array): void {
  // A program that ends without reading its input breaks the pipe: its exit code tells why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
}

function collectResult(child: PipedProcess, mostOutputBytes: number): Promise<ProcessResult> {
  const output: Buffer[] = [];
  let [size, complaint] = [0, ''];
  child.stderr.on('data', (part: Buffer) => (complaint = (complaint + part.toString()).slice(0, MAX_STDERR_LENGTH)));
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      size += part.length;
      if (size > mostOutputBytes) reject(new HindsightError('unavailable', 'The work became too large.'));
      else output.push(part);
    });
    child.on('error', (cause) =>
      reject(new HindsightError('unavailable', 'A program could not be started.', [], { cause })),
    );
    child.on('close', (code) => resolve({ output: Buffer.concat(output), complaint, exitCode: code ?? undefined }));
  });
}

/** How to run one of our own files in a process of its own: without the flags and hooks that this process was started with. */
export function nodeCommand(entry: URL): { readonly command: string; readonly args: readonly string[] } {
  return { command: process.execPath, args: [fileURLToPath(entry)] };
}
