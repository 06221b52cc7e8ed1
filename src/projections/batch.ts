import type { RecordedEvent } from '../streams/event-store.js';

/** Bounds of one read: a batch is held in memory while its portions are committed. */
export const READ = { limit: 4096, maxBytes: 8 * 1024 * 1024 };

/** A block of 8,192 spans comes in about so many bytes. */
const PLENTY = { events: 1024, bytes: 512 * 1024 };

/** Whether waiting for company would gain nothing: the batch fills a block of its own, and more is likely to wait behind it. */
export function isPlenty(batch: readonly RecordedEvent[]): boolean {
  if (batch.length >= PLENTY.events) return true;
  const bytes = batch.reduce((sum, event) => sum + (event.body?.byteLength ?? 0), 0);
  return bytes >= PLENTY.bytes;
}
