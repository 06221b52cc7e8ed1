import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Sketch } from '../../src/diagnostics/rollups/sketch.js';
import type { VariedRollups } from './variation-trials.js';

/** Rollups of an earlier run; undefined without a folder or if there are none. */
export function loadRollups(folder: string | undefined, key: string): VariedRollups | undefined {
  if (folder === undefined || !existsSync(toFile(folder, key))) return undefined;
  return JSON.parse(gunzipSync(readFileSync(toFile(folder, key))).toString(), (_, value) =>
    isStoredSketch(value) ? Sketch.fromEntries(value.sketch) : value,
  ) as VariedRollups;
}

/** Returns the rollups, after they were stored if there is a folder. */
export function storeRollups(folder: string | undefined, key: string, rollups: VariedRollups): VariedRollups {
  if (folder === undefined) return rollups;
  const text = JSON.stringify(rollups, (_, value: unknown) =>
    value instanceof Sketch ? { sketch: value.entries() } : value,
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(toFile(folder, key), gzipSync(text, { level: 1 }));
  return rollups;
}

function isStoredSketch(value: unknown): value is { readonly sketch: [number, number][] } {
  return typeof value === 'object' && value !== null && 'sketch' in value;
}

function toFile(folder: string, key: string): string {
  return join(folder, `${encodeURIComponent(key)}.json.gz`);
}
