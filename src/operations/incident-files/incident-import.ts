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

/** What one append takes: a larger one would keep senders waiting. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_EVENTS = 200;
/** Of what a log takes at once: the rest is for what it adds to each event. */
const MAX_FILL_RATIO = 3 / 4;
/** Events without bodies that one read takes. */
const READ_BATCH_EVENTS = 1_000;
/** Records that are appended ahead of the read models: less than a quarter of a second's work. */
const MAX_RECORDS_AHEAD = 20_000;
/** Read models and log take about as much as the file has inflated; the rest is for everybody else. */
const SPARE_BYTES = 1024 ** 3;
const RECEIVED_TYPE_SET: ReadonlySet<string> = new Set(Object.values(TELEMETRY_RECEIVED_TYPES));

/** What was appended last: telemetry, or what else there is of a Grid. */
export type AppendedKind = 'telemetry' | 'grid';

export interface ImportTarget
  extends Pick<EventStore, 'append' | 'maxAppendBytes'>, Pick<EventReader, 'readStream' | 'readAll'> {
  /** Resolves once the Grid's read models show this position, or it takes too long: an import is not to run ahead of them, for senders would be told to wait. */
  settle(position: Position, gridId: string, of: AppendedKind): Promise<void>;
  /** On the disk of the data folder; infinite where neither log nor read models are there. */
  freeBytes(): Promise<number>;
}

export interface ImportOptions {
  /** Absent: as it was called. */
  readonly name?: string;
  /** User id; becomes Owner, and the only member. */
  readonly owner: string;
  readonly actor: string;
  /** Ms since 1970. */
  readonly now: number;
  /** Absent: the Grid takes no telemetry. */
  readonly key?: ApiKeySecret;
  readonly newId: () => string;
  /** Bytes of the file: it is read twice. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface ImportResult extends IncidentFileCounts {
  readonly gridId: string;
  readonly name: string;
  readonly slice: IncidentFileHeader['slice'];
  /** Events that an import of this file, which was cut short, had brought already. */
  readonly resumed: number;
}

/**
 * Makes a new Grid of a slice. The whole file is verified before anything is appended. Then the Grid is created without members, so that nobody sees it; its Owner comes last. An import that
 * was cut short is completed by importing the same file again; one that is complete is not touched: the next import makes another Grid.
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
      `the slice needs about ${Math.ceil((2 * bodyBytes + SPARE_BYTES) / 2 ** 20)} MiB of free disk`,
    );
  const gridId = await findFreeGridId(target, end.sha256);
  const importing = new IncidentImporter(target, header, { ...options, gridId });
  const resumed = await importing.createOrResume();
  const again = await readIncidentFile(file, {
    onHeader: () => undefined,
    onEvent: (event, ordinal) => importing.addEvent(event, ordinal),
    onProgress: (done) => onProgress(size + done),
  });
  if (again.sha256 !== end.sha256) throw new HindsightError('conflict', `${file} was changed while it was imported`);
  const name = await importing.complete();
  return { gridId, name, slice: header.slice, events: end.events, records: end.records, resumed };
}

/** A pipe cannot be read twice, and may never end. */
async function statRegularFile(file: string): Promise<{ readonly size: number }> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new HindsightError('not-found', `there is no file ${file}`);
  return found;
}

/** Reads all of it as the import will, and appends nothing. */
async function verifyIncidentFile(
  file: string,
  { actor, now }: ImportOptions,
  onProgress: (done: number) => void,
): Promise<{ header: IncidentFileHeader; end: IncidentFileCounts & { sha256: string }; bodyBytes: number }> {
  const headers: IncidentFileHeader[] = [];
  const gridId = deriveUuid('a Grid that is never made');
  let bodyBytes = 0;
  let records = 0;
  const to: ImportDestination = { gridId, actor, idOf: (id) => id };
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
      `${file} is damaged: it has ${records} records, its last line says ${end.records}`,
    );
  return { header: headers[0], end, bodyBytes };
}

/** Of this file, the first Grid that is not complete: its id is derived, so that what was cut short is found again. */
async function findFreeGridId(target: Pick<ImportTarget, 'readStream'>, sha256: string): Promise<string> {
  for (let number = 1; ; number++) {
    const gridId = deriveUuid(`slice/${sha256}/${number}`);
    const events = await target.readStream(gridStream(gridId));
    if (!events.some(({ type }) => type === 'MemberSet.v1')) return gridId;
  }
}

class IncidentImporter {
  private readonly to: ImportDestination;
  /** Ids of events that an earlier attempt has appended, of the streams that hold few; of requests, how many. */
  private readonly present = new Set<string>();
  private requests = 0;
  private expected: ExpectedRevision = 'none';
  private batch: NewEvent[] = [];
  private batchBytes = 0;
  /** Records appended since the read models were waited for. */
  private ahead = 0;

  constructor(
    private readonly target: ImportTarget,
    private readonly header: IncidentFileHeader,
    private readonly options: ImportOptions & { readonly gridId: string },
  ) {
    const { gridId, actor } = options;
    this.to = { gridId, actor, idOf: createIdMapper(header.grid.gridId, gridId) };
  }

  /** Answers how many events of the file are there already. */
  async createOrResume(): Promise<number> {
    const { gridId, actor, now: at } = this.options;
    const before = [
      ...(await this.target.readStream(gridStream(gridId))),
      ...(await this.target.readStream(alertsStream(gridId))),
    ];
    for (const { id } of before) this.present.add(id);
    if (before.length === 0)
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
    const { stream, event } = toImportedEvent(sliced, ordinal, this.to, false);
    if (stream !== telemetryStream(this.options.gridId)) {
      await this.flush();
      if (!this.present.has(event.id)) await this.append(stream, 'any', [event]);
    } else if (this.requests > 0) this.requests--;
    else await this.addRequest(stream, event);
  }

  /** Now somebody sees it. Answers its name. */
  async complete(): Promise<string> {
    await this.flush();
    const { gridId, actor, now: at, owner, name, key } = this.options;
    const { settings } = this.header.grid;
    const stream = gridStream(gridId);
    const events = await this.target.readStream(stream);
    const called = name ?? settings.name;
    const of = { gridId, actor, at };
    const last = events.map(({ type, data }) => ({ type, data: data as object }));
    const decide = (command: Parameters<typeof gridDecider.decide>[0]): void =>
      void last.push(...decideOrThrow(gridDecider, command, last));
    decide({
      ...of,
      type: 'ChangeSettings',
      changes: { ...settings, name: called, subscriptionActive: true, retentionDays: 0 },
    });
    decide({ ...of, type: 'SetMember', userId: owner, role: 'Owner', kind: 'user' });
    if (key !== undefined)
      decide({ ...of, type: 'IssueApiKey', name: 'import', keyId: key.keyId, secretHash: key.secretHash });
    const made = last.slice(events.length).map(({ type, data }) => ({ id: this.options.newId(), type, data }));
    await this.settle((await this.append(stream, events[events.length - 1].revision, made)).position, 'grid');
    return called;
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
    if (this.ahead >= MAX_RECORDS_AHEAD) await this.settle(position, 'telemetry');
  }

  private async settle(position: Position, of: AppendedKind): Promise<void> {
    this.ahead = 0;
    await this.target.settle(position, this.options.gridId, of);
  }

  private async appendLarge(stream: string, event: NewTelemetryEvent): Promise<void> {
    const result = await appendTelemetry(this.target, stream, event, this.options.newId);
    if (!result.ok) throw createConcurrentImportError();
    this.expected = result.revision;
    await this.settle(result.position, 'telemetry');
  }

  /** The stream of telemetry has no other writer: what has changed it is another import of the same file. */
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
  return new HindsightError('conflict', 'This file is being imported by somebody else.');
}
