import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewEvent } from '../../../src/streams/event-store.js';

export const FOLDER = join(process.cwd(), 'test/fixtures/golden');
/** The golden log: lines are added for new event types and never changed. */
export const LOG_FILE = join(FOLDER, 'log.ndjson');
/** Its first lines as an SQLite event log of the release that created it; never rewritten. */
export const FROZEN_LOG = join(FOLDER, 'events.db');
/** Digest of each projection over the log, with its schema version. */
export const DIGESTS_FILE = join(FOLDER, 'digests.json');

export interface GoldenEvent extends NewEvent {
  readonly stream: string;
  /** Log time (ms). */
  readonly at: number;
}

interface Line extends Omit<GoldenEvent, 'body'> {
  readonly body?: string;
}

export type GoldenDigests = Readonly<Record<string, { readonly schema: number; readonly digest: string }>>;

export function goldenLog(): GoldenEvent[] {
  const lines = readFileSync(LOG_FILE, 'utf8').trimEnd().split('\n');
  return lines.map((line) => eventOf(JSON.parse(line) as Line));
}

export function goldenDigests(): GoldenDigests {
  return JSON.parse(readFileSync(DIGESTS_FILE, 'utf8')) as GoldenDigests;
}

export function lineOf({ body, ...event }: GoldenEvent): string {
  return JSON.stringify(body === undefined ? event : { ...event, body: Buffer.from(body).toString('base64') });
}

function eventOf({ body, ...event }: Line): GoldenEvent {
  return body === undefined ? event : { ...event, body: new Uint8Array(Buffer.from(body, 'base64')) };
}
