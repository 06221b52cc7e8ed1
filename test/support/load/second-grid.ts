import assert from 'node:assert/strict';
import { runCli } from '../run-cli.js';
import type { Bootstrap } from '../service.js';

/** Creates another Grid and an API key on a running service with the command line. */
export async function createSecondGrid(dataDir: string, name: string): Promise<Bootstrap> {
  const { gridSecondaryId: gridId } = await runJson<{ gridSecondaryId: string }>(dataDir, 'grids', 'create', name);
  const { apiKey } = await runJson<{ apiKey: string }>(dataDir, 'keys', 'issue', gridId, name);
  return { gridId, apiKey };
}

async function runJson<T>(dataDir: string, ...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await runCli(dataDir, ...words, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as T;
}
