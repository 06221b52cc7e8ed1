import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../../../bin/hindsight.js', import.meta.url));

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in a process of its own, as an operator does, on a data folder. */
export function hindsight(dataDir: string, ...words: string[]): Promise<Run> {
  return hindsightWith({ DATA_DIR: dataDir }, ...words);
}

/** The same with these settings. */
export async function hindsightWith(settings: Readonly<Record<string, string>>, ...words: string[]): Promise<Run> {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const env = { ...inherited, HTTP_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0', ...settings };
  const run = await promisify(execFile)(process.execPath, [PROGRAM, ...words], { env, maxBuffer: 1 << 26 }).catch(
    (error: unknown) => error as Run,
  );
  return { code: 'code' in run ? run.code : 0, stdout: run.stdout, stderr: run.stderr };
}
