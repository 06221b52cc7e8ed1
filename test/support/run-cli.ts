import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../../../bin/hindsight.js', import.meta.url));

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in a separate process on a data folder. */
export function runCli(dataDir: string, ...words: string[]): Promise<CliResult> {
  return runCliWith({ DATA_DIR: dataDir }, ...words);
}

/** Runs the command line in a separate process with these settings. */
export async function runCliWith(settings: Readonly<Record<string, string>>, ...words: string[]): Promise<CliResult> {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const env = { ...inherited, HTTP_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0', ...settings };
  const run = await promisify(execFile)(process.execPath, [PROGRAM, ...words], { env, maxBuffer: 1 << 26 }).catch(
    (error: unknown) => error as CliResult,
  );
  return { code: 'code' in run ? run.code : 0, stdout: run.stdout, stderr: run.stderr };
}
