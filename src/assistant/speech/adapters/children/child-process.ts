import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { HindsightError } from '../../../../errors.js';
import { runWithTimeout } from '../../../abortable-timeout.js';
import { fileURLToPath } from 'node:url';

/**
 * Resource limits of a child process. On Linux the kernel enforces memory and CPU time; other systems do so only in
 * part.
 */
export interface ProcessLimits {
  readonly memoryMb: number;
  /** CPU seconds. */
  readonly cpuSeconds: number;
  readonly timeoutMs: number;
  /** Bytes of standard output. */
  readonly maxOutputBytes: number;
}

export interface ProcessCommand {
  /** A path, or a name to look up in `searchPath`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly searchPath: string;
  readonly input: Uint8Array;
  readonly limits: ProcessLimits;
}

export interface ProcessResult {
  readonly output: Buffer;
  /** The first kilobytes of standard error. */
  readonly errorOutput: string;
  /** Undefined if a signal ended the process, for example because of a resource limit. */
  readonly exitCode: number | undefined;
}

const MAX_STDERR_LENGTH = 4096;
export type PipedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts a program without the service's environment, which contains secrets. A shell sets the limits and then
 * executes the program; command and arguments are passed as parameters, never as part of the script.
 */
export function startProcess({ command, args, searchPath, limits }: Omit<ProcessCommand, 'input'>): PipedProcess {
  const env = { PATH: searchPath, LANG: 'C.UTF-8' };
  if (process.platform === 'win32') return spawn(command, args, { env, stdio: 'pipe', windowsHide: true });
  const script = `ulimit -c 0; ulimit -d ${limits.memoryMb * 1024}; ulimit -t ${limits.cpuSeconds}; exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', script, command, ...args], { env, stdio: 'pipe' });
}

/**
 * Runs a program to its end; the child is gone when this settles. Rejects with the signal's reason if it aborts, and
 * with code `unavailable` at the deadline, for too much output, and if no child process can be started.
 */
export async function runProcess(command: ProcessCommand, signal: AbortSignal): Promise<ProcessResult> {
  signal.throwIfAborted();
  const child = startProcess(command);
  try {
    writeInput(child, command.input);
    return await runWithTimeout(signal, command.limits.timeoutMs, () =>
      collectResult(child, command.limits.maxOutputBytes),
    );
  } finally {
    child.kill('SIGKILL');
  }
}

function writeInput(child: PipedProcess, input: Uint8Array): void {
  // A program that exits without reading its input breaks the pipe; its exit code is reported instead.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
}

function collectResult(child: PipedProcess, maxOutputBytes: number): Promise<ProcessResult> {
  const output: Buffer[] = [];
  let [size, errorOutput] = [0, ''];
  child.stderr.on(
    'data',
    (part: Buffer) => (errorOutput = (errorOutput + part.toString()).slice(0, MAX_STDERR_LENGTH)),
  );
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maxOutputBytes)
        reject(new HindsightError('unavailable', 'The output of a program exceeds its limit.'));
      else output.push(part);
    });
    child.on('error', (cause) => reject(new HindsightError('unavailable', 'Cannot start a program.', [], { cause })));
    child.on('close', (code) => resolve({ output: Buffer.concat(output), errorOutput, exitCode: code ?? undefined }));
  });
}

/** Command to run one of our own files in a separate Node.js process, without the flags and hooks of this process. */
export function nodeCommand(entry: URL): { readonly command: string; readonly args: readonly string[] } {
  return { command: process.execPath, args: [fileURLToPath(entry)] };
}
