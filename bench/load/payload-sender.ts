import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SendOrder, SendReport } from './send-process.js';

const SENDER = fileURLToPath(new URL('./send-process.js', import.meta.url));

/** Sends from a process of its own on the same cores, and resolves to its report. */
export async function sendPayloads(order: SendOrder): Promise<SendReport> {
  const { stdout } = await promisify(execFile)(process.execPath, [SENDER, JSON.stringify(order)]);
  return JSON.parse(stdout) as SendReport;
}
