import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eq } from '../../../../../src/read-models/document-filter.js';
import { decodeLogBlock } from '../../../../../src/read-models/blocks/log-block-codec.js';
import { decodeSpanBlock } from '../../../../../src/read-models/blocks/span-block-codec.js';
import { readActiveVersion } from '../../../../../src/read-models/documents/projection-documents.js';
import type { ReadModelStore } from '../../../../../src/read-models/read-model-store.js';
import { logBlockFormat, spanBlockFormat } from '../../../../../src/projections/telemetry/blocks/block-format.js';
import { loadBlock } from '../../../../../src/projections/telemetry/blocks/stored-block-cache.js';
import { Projector, type ProjectorParts } from '../../../../../src/projections/engine/projector.js';
import { SILENT_LOGGER } from '../../../../../src/self-telemetry/logger.js';
import type { NewEvent, Position } from '../../../../../src/streams/event-store.js';
import { TELEMETRY_EXPIRED_TYPE } from '../../../../../src/streams/events/telemetry-events.js';
import { gridStream, retentionStream, telemetryStream } from '../../../../../src/streams/stream-names.js';
import { NEVER, Subject } from 'rxjs';
import type { ChangeHint, LiveFeed } from '../../../../../src/streams/live/live-feed.js';
import { GRID } from './requests.js';
import { MEMORY, type Stores } from './storages.js';

const TIMEOUT_MS = 50_000;

/** Tests do not wait for groups to form. */
const EAGER = { everyMs: 0, idleMs: 50 };

/** A log, read models and a projector over them. The log's clock stands until it is set. */
export class ProjectedLog {
  now = Date.UTC(2026, 5, 20, 12);
  readonly feed = feedOf();
  readonly events: Stores['events'];
  readonly store: ReadModelStore;
  projector: Projector | undefined;
  private readonly stores: Stores;

  /** `store` instead of the storage's own. */
  constructor(
    store?: ReadModelStore,
    private readonly overrides: Partial<ProjectorParts> = {},
    storage = MEMORY,
  ) {
    this.stores = storage.open(() => this.now, this.feed);
    this.events = this.stores.events;
    this.store = store ?? this.stores.store;
  }

  async append(event: NewEvent): Promise<Position> {
    const { gridId } = event.data as { gridId: string };
    const result = await this.events.append(telemetryStream(gridId), 'any', [event]);
    assert.ok(result.ok);
    return result.position;
  }

  /** Expires telemetry from before this time (ms). */
  async expire(before: number, gridId = GRID): Promise<void> {
    await this.events.append(retentionStream(gridId), 'any', [
      { id: `expired ${before}`, type: TELEMETRY_EXPIRED_TYPE, data: { gridId, before, at: this.now } },
    ]);
  }

  /** Sets the Apdex threshold for what is appended from now on. */
  async setApdex(apdexThresholdMs: number, gridId = GRID): Promise<void> {
    const data = { actor: 'owner', at: this.now, gridId, changes: { apdexThresholdMs } };
    await this.events.append(gridStream(gridId), 'any', [{ id: randomUUID(), type: 'GridSettingsChanged.v1', data }]);
  }

  async start(): Promise<Projector> {
    const { events, store, feed } = this;
    this.projector = new Projector({
      events,
      store,
      feed,
      log: SILENT_LOGGER,
      scratch: this.stores.scratch,
      pollingIntervals: EAGER,
      ...this.overrides,
    });
    await this.projector.start();
    return this.projector;
  }

  /** Starts where needed, and waits until all projections have reached the head of the log. */
  async settle(): Promise<Projector> {
    const projector = this.projector ?? (await this.start());
    const head = await this.events.head();
    for (const name of await projector.projections())
      assert.ok(await projector.waitForPosition(name, head, TIMEOUT_MS), `${name} is late`);
    return projector;
  }

  async stop(): Promise<void> {
    await this.projector?.stop();
    this.projector = undefined;
  }

  /** Stops, and removes what the storage left on disk. */
  async remove(): Promise<void> {
    await this.stop();
    await this.stores.remove();
  }

  /** A new projector over the same stores. */
  async restart(): Promise<Projector> {
    await this.stop();
    return this.settle();
  }

  /** The spans of a Grid as `trace/span@start`, sorted. Numbers as in TestSpan. */
  async spans(gridId = GRID): Promise<string[]> {
    const format = spanBlockFormat((await readActiveVersion(this.store, 'traces')) ?? 0);
    const found: string[] = [];
    for (const { id } of await this.store.find(format.blocks, { filter: eq('gridId', gridId) })) {
      const block = await loadBlock(format, this.store, id);
      assert.ok(block);
      const { traceId, spanId, startUs } = decodeSpanBlock(block.document, block.blobs);
      for (let row = 0; row < block.document.rows; row++) {
        found.push(`${lastWord(traceId, row, 16)}/${lastWord(spanId, row, 8)}@${startUs[row] / 1000}`);
      }
    }
    return found.sort();
  }

  /** Times (ms) of the log records of a Grid, sorted. */
  async logs(gridId = GRID): Promise<number[]> {
    const format = logBlockFormat((await readActiveVersion(this.store, 'logs')) ?? 0);
    const found: number[] = [];
    for (const { id } of await this.store.find(format.blocks, { filter: eq('gridId', gridId) })) {
      const block = await loadBlock(format, this.store, id);
      assert.ok(block);
      found.push(...Array.from(decodeLogBlock(block.document, block.blobs).timeUs, (us) => us / 1000));
    }
    return found.sort((a, b) => a - b);
  }

  async digests(): Promise<Record<string, string>> {
    const projector = await this.settle();
    const digests: Record<string, string> = {};
    for (const name of await projector.projections()) digests[name] = (await projector.digest(name)).digest;
    return digests;
  }
}

/** A feed within one thread: nothing of another test reaches it. */
export function feedOf(): LiveFeed {
  const hints = new Subject<ChangeHint>();
  return {
    hints,
    announce: (hint) => hints.next(hint),
    check: () => Promise.resolve({ ok: true }),
    close: () => Promise.resolve(),
  };
}

/** A feed that loses every hint. */
export function deafFeed(): LiveFeed {
  return {
    hints: NEVER,
    announce: () => undefined,
    check: () => Promise.resolve({ ok: true }),
    close: () => Promise.resolve(),
  };
}

function lastWord(ids: Uint8Array, row: number, size: number): number {
  return new DataView(ids.buffer, ids.byteOffset).getUint32((row + 1) * size - 4);
}
