import { stat } from 'node:fs/promises';
import { gridDecider } from '../../commands/grids/grid-decider.js';
import { HindsightError } from '../../errors.js';
import { appendTelemetry, type NewTelemetryEvent } from '../../streams/telemetry-body.js';
import {
  START,
  type AppendResult,
  type EventReader,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type Position,
} from '../../streams/event-store.js';
import { readEventsAfter } from '../../streams/event-log-scans.js';
import type { ApiKeySecret } from '../../streams/events/grid-events.js';
import { TELEMETRY_RECEIVED_TYPES } from '../../streams/events/telemetry-events.js';
import { alertsStream, gridStream, telemetryStream } from '../../streams/stream-names.js';
import { deriveUuid } from '../../telemetry/deterministic-uuid.js';
import type { IncidentFileCounts, IncidentFileHeader } from './incident-file-format.js';
import { toImportedEvent, type ImportDestination } from './imported-event.js';
import { buildGridSetupEvents, createIdMapper, decideOrThrow } from './imported-grid-setup.js';
import { readIncidentFile } from './incident-file-reader.js';

/** Bytes per append: larger ones would delay telemetry from senders. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_EVENTS = 200;
/** Fraction of the append limit of the log that is used: the rest is for its overhead per event. */
const MAX_FILL_RATIO = 3 / 4;
/** Events without bodies per read. */
const READ_BATCH_EVENTS = 1_000;
/** Records that the import may be ahead of the read models: less than a quarter of a second of projection work. */
const MAX_RECORDS_AHEAD = 20_000;
/**
 * Disk space (bytes) that an import leaves free. Log and read models together take about twice the uncompressed size.
 */
const SPARE_BYTES = 1024 ** 3;
const RECEIVED_TYPE_SET: ReadonlySet<string> = new Set(Object.values(TELEMETRY_RECEIVED_TYPES));

/** Kind of the appended events: telemetry, or events of the Grid itself. */
export type AppendedKind = 'telemetry' | 'grid';

export interface ImportTarget
  extends Pick<EventStore, 'append' | 'maxAppendBytes'>, Pick<EventReader, 'readStream' | 'readAll'> {
  /**
   * Resolves once the read models of the Grid have reached this position, or after a timeout. Without waiting, the read
   * models would lag, and ingestion would refuse telemetry.
   */
  waitUntilVisible(position: Position, gridId: string, kind: AppendedKind): Promise<void>;
  /** Free bytes on the disk of the data folder; `Infinity` when it holds neither log nor read models. */
  freeBytes(): Promise<number>;
}

export interface ImportOptions {
  /** Name of the new Grid; absent: that of the exported one. */
  readonly name?: string;
  /** Id of the user who becomes Owner and only member. */
  readonly owner: string;
  readonly actor: string;
  /** Ms since 1970. */
  readonly now: number;
  /** API key of the new Grid; absent: it accepts no telemetry. */
  readonly key?: ApiKeySecret;
  readonly newId: () => string;
  /** Progress in bytes; the file is read twice. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface ImportResult extends IncidentFileCounts {
  readonly gridId: string;
  readonly name: string;
  readonly slice: IncidentFileHeader['slice'];
  /** Requests that an earlier, interrupted import of this file had already appended. */
  readonly resumed: number;
}

/**
 * Creates a new Grid from an incident file. Verifies the whole file before anything is appended. The Grid has no
 * members until everything is imported, so that nobody sees it before. Importing the same file again completes an
 * interrupted import; after a complete import it creates another Grid. Rejects with `not-found`, `invalid-request`,
 * `unavailable` without enough disk space, or `conflict`.
 */
export async function importIncidentFile(
  file: string,
  target: ImportTarget,
  options: ImportOptions,
): Promise<ImportResult> {
  const { size } = await statRegularFile(file);
  const onProgress = (done: number): void => options.onProgress({ done, total: 2 * size });
  const { header, end, bodyBytes } = await verifyIncidentFile(file, options, onProgress);
  if ((await target.freeBytes()) < 2 * bodyBytes + SPARE_BYTES)
    throw new HindsightError(
      'unavailable',
      `The import needs about ${Math.ceil((2 * bodyBytes + SPARE_BYTES) / 2 ** 20)} MiB of free disk space`,
    );
  const gridId = await findFreeGridId(target, end.sha256);
  const importer = new IncidentImporter(target, header, { ...options, gridId });
  const resumed = await importer.createOrResume();
  const secondPass = await readIncidentFile(file, {
    onHeader: () => undefined,
    onEvent: (event, ordinal) => importer.addEvent(event, ordinal),
    onProgress: (done) => onProgress(size + done),
  });
  if (secondPass.sha256 !== end.sha256) throw new HindsightError('conflict', `${file} changed during the import`);
  const name = await importer.complete();
  return { gridId, name, slice: header.slice, events: end.events, records: end.records, resumed };
}

/** Accepts regular files only: a pipe cannot be read twice, and may never end. */
async function statRegularFile(file: string): Promise<{ readonly size: number }> {
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isFile() !== true) throw new HindsightError('not-found', `The file ${file} does not exist`);
  return stats;
}

/** Reads the whole file as the import does, without appending. */
async function verifyIncidentFile(
  file: string,
  { actor, now }: ImportOptions,
  onProgress: (done: number) => void,
): Promise<{ header: IncidentFileHeader; end: IncidentFileCounts & { sha256: string }; bodyBytes: number }> {
  const headers: IncidentFileHeader[] = [];
  const gridId = deriveUuid('a Grid that is never made');
  let bodyBytes = 0;
  let records = 0;
  const to: ImportDestination = { gridId, actor, mapId: (id) => id };
  const end = await readIncidentFile(file, {
    onHeader: (header) => {
      buildGridSetupEvents(header.grid, { gridId, actor, at: now });
      headers.push(header);
    },
    onEvent: async (event, ordinal) => {
      const { data, body } = toImportedEvent(event, ordinal, to, true).event;
      bodyBytes += body?.byteLength ?? 0;
      records += 'accepted' in data ? (data.accepted as number) : 0;
    },
    onProgress,
  });
  if (records !== end.records)
    throw new HindsightError(
      'invalid-request',
      `${file} is damaged: it has ${records} records instead of ${end.records}`,
    );
  return { header: headers[0], end, bodyBytes };
}

/**
 * Id of the first Grid of this file that is not complete. Ids are derived from its hash, so that an interrupted import
 * is found again.
 */
async function findFreeGridId(target: Pick<ImportTarget, 'readStream'>, sha256: string): Promise<string> {
  for (let number = 1; ; number++) {
    const gridId = deriveUuid(`slice/${sha256}/${number}`);
    const events = await target.readStream(gridStream(gridId));
    if (!events.some(({ type }) => type === 'MemberSet.v1')) return gridId;
  }
}

class IncidentImporter {
  private readonly destination: ImportDestination;
  /** Ids of Grid and alert events that an earlier attempt appended. */
  private readonly present = new Set<string>();
  private requests = 0;
  private expected: ExpectedRevision = 'none';
  private batch: NewEvent[] = [];
  private batchBytes = 0;
  /** Records appended since the import last waited for the read models. */
  private ahead = 0;

  constructor(
    private readonly target: ImportTarget,
    private readonly header: IncidentFileHeader,
    private readonly options: ImportOptions & { readonly gridId: string },
  ) {
    const { gridId, actor } = options;
    this.destination = { gridId, actor, mapId: createIdMapper(header.grid.gridId, gridId) };
  }

  /** Resolves to the number of requests that are already in the log. */
  async createOrResume(): Promise<number> {
    const { gridId, actor, now: at } = this.options;
    const presentEvents = [
      ...(await this.target.readStream(gridStream(gridId))),
      ...(await this.target.readStream(alertsStream(gridId))),
    ];
    for (const { id } of presentEvents) this.present.add(id);
    if (presentEvents.length === 0)
      await this.append(
        gridStream(gridId),
        'none',
        buildGridSetupEvents(this.header.grid, { gridId, actor, at }).map((event) => ({
          id: this.options.newId(),
          ...event,
        })),
      );
    for await (const { type, revision } of readEventsAfter(this.target, START, {
      prefixes: [telemetryStream(gridId)],
      limit: READ_BATCH_EVENTS,
      bodies: false,
    })) {
      this.expected = revision;
      if (RECEIVED_TYPE_SET.has(type)) this.requests++;
    }
    return this.requests;
  }

  async addEvent(sliced: Parameters<typeof toImportedEvent>[0], ordinal: number): Promise<void> {
    const { stream, event } = toImportedEvent(sliced, ordinal, this.destination, false);
    if (stream !== telemetryStream(this.options.gridId)) {
      await this.flush();
      if (!this.present.has(event.id)) await this.append(stream, 'any', [event]);
    } else if (this.requests > 0) this.requests--;
    else await this.addRequest(stream, event);
  }

  /** Adds settings, the Owner and the API key, which makes the Grid visible. Resolves to its name. */
  async complete(): Promise<string> {
    await this.flush();
    const { gridId, actor, now: at, owner, name, key } = this.options;
    const { settings } = this.header.grid;
    const stream = gridStream(gridId);
    const events = await this.target.readStream(stream);
    const newName = name ?? settings.name;
    const base = { gridId, actor, at };
    const allEvents = events.map(({ type, data }) => ({ type, data: data as object }));
    const decide = (command: Parameters<typeof gridDecider.decide>[0]): void =>
      void allEvents.push(...decideOrThrow(gridDecider, command, allEvents));
    decide({
      ...base,
      type: 'ChangeSettings',
      changes: { ...settings, name: newName, subscriptionActive: true, retentionDays: 0 },
    });
    decide({ ...base, type: 'SetMember', userId: owner, role: 'Owner', kind: 'user' });
    if (key !== undefined)
      decide({
        ...base,
        type: 'IssueApiKey',
        name: 'import',
        kind: 'full',
        keyId: key.keyId,
        secretHash: key.secretHash,
      });
    const newEvents = allEvents
      .slice(events.length)
      .map(({ type, data }) => ({ id: this.options.newId(), type, data }));
    await this.waitUntilVisible(
      (await this.append(stream, events[events.length - 1].revision, newEvents)).position,
      'grid',
    );
    return newName;
  }

  private async addRequest(stream: string, event: NewEvent): Promise<void> {
    const { maxAppendBytes } = this.target;
    const bytes = Buffer.byteLength(JSON.stringify(event.data)) + (event.body?.byteLength ?? 0);
    if (
      this.batch.length >= BATCH_EVENTS ||
      this.batchBytes + bytes > Math.min(BATCH_BYTES, MAX_FILL_RATIO * maxAppendBytes)
    )
      await this.flush();
    if (bytes > maxAppendBytes / 2) return this.appendLarge(stream, event as NewTelemetryEvent);
    this.batch.push(event);
    this.batchBytes += bytes;
    this.ahead += (event as NewTelemetryEvent).data.accepted;
  }

  private async flush(): Promise<void> {
    if (this.batch.length === 0) return;
    const { batch } = this;
    this.batch = [];
    this.batchBytes = 0;
    const { position, revision } = await this.append(telemetryStream(this.options.gridId), this.expected, batch);
    this.expected = revision;
    if (this.ahead >= MAX_RECORDS_AHEAD) await this.waitUntilVisible(position, 'telemetry');
  }

  private async waitUntilVisible(position: Position, kind: AppendedKind): Promise<void> {
    this.ahead = 0;
    await this.target.waitUntilVisible(position, this.options.gridId, kind);
  }

  private async appendLarge(stream: string, event: NewTelemetryEvent): Promise<void> {
    const result = await appendTelemetry(this.target, stream, event, this.options.newId);
    if (!result.ok) throw createConcurrentImportError();
    this.expected = result.revision;
    await this.waitUntilVisible(result.position, 'telemetry');
  }

  /** A revision conflict means another import of the same file: the telemetry stream has no other writer. */
  private async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<Extract<AppendResult, { ok: true }>> {
    const result = await this.target.append(stream, expected, events);
    if (!result.ok) throw createConcurrentImportError();
    return result;
  }
}

function createConcurrentImportError(): HindsightError {
  return new HindsightError('conflict', 'Another import of this file is running.');
}
