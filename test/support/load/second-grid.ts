import assert from 'node:assert/strict';
import { hindsight } from '../operator.js';
import type { Bootstrap } from '../service.js';

/** Another Grid of a running service, and a key for it, made as the operator makes them. */
export async function anotherGrid(dataDir: string, name: string): Promise<Bootstrap> {
  const { gridSecondaryId: gridId } = await printed<{ gridSecondaryId: string }>(dataDir, 'grids', 'create', name);
  const { apiKey } = await printed<{ apiKey: string }>(dataDir, 'keys', 'issue', gridId, name);
  return { gridId, apiKey };
}

async function printed<T>(dataDir: string, ...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await hindsight(dataDir, ...words, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as T;
}
