import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { TelemetryBodyReader } from '../../telemetry/telemetry-body-reader.js';
import type { ThreadCaches } from '../../thread-memory.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { BlockSnapshotReader } from '../telemetry/block-snapshots.js';
import { WindowedAggregates, windowsRange, type WindowsQuery } from './windowed-aggregates.js';
import { LogSource } from './columns/log-source.js';
import { MetricSource } from './columns/metric-source.js';
import type { RecordSource } from './columns/record-batch.js';
import { ResourceAttributeCache } from './columns/resource-attributes.js';
import { SpanSource } from './columns/span-source.js';
import { StoredRecords } from './columns/stored-records.js';
import { ExceptionSource } from '../errors/exception-source.js';
import type { Query } from './query-model.js';

/** Opens the records that queries read: those of a signal, windows of them, or exceptions. One per thread. */
export class RecordSourceOpener {
  private readonly resources = new ResourceAttributeCache();

  constructor(
    private readonly blocks: BlockSnapshotReader,
    private readonly bodies: TelemetryBodyReader,
    private readonly getReader: ReaderForGrid,
    caches?: ThreadCaches,
  ) {
    caches?.add('queryResources', this.resources);
  }

  /** Opens the records of a signal within a range. */
  async openRecords(
    { signal, gridId, range }: Pick<Query, 'signal' | 'gridId' | 'range'>,
    timeSlice: TimeSlice,
  ): Promise<RecordSource> {
    if (signal === 'metrics') return new MetricSource(this.getReader(gridId), gridId, range, timeSlice);
    const context = { records: new StoredRecords(this.bodies, gridId, timeSlice), resources: this.resources };
    return signal === 'spans'
      ? new SpanSource(await this.blocks.readSpans(gridId, timeSlice), range, context)
      : new LogSource(await this.blocks.readLogs(gridId, timeSlice), range, context);
  }

  /** Aggregates the records of windows by the minute. */
  async openWindows(query: WindowsQuery, timeSlice: TimeSlice): Promise<WindowedAggregates> {
    const windows = new WindowedAggregates(query, timeSlice.openMemory());
    await windows.collect(await this.openRecords({ ...query, range: windowsRange(query) }, timeSlice));
    return windows;
  }

  /** Opens the exceptions of a Grid. */
  async openExceptions(gridId: string, timeSlice: TimeSlice): Promise<ExceptionSource> {
    const openRecords = (): StoredRecords => new StoredRecords(this.bodies, gridId, timeSlice);
    return new ExceptionSource({
      spans: await this.blocks.readSpans(gridId, timeSlice),
      logs: await this.blocks.readLogs(gridId, timeSlice),
      records: openRecords(),
      otherRecords: openRecords,
      resources: this.resources,
    });
  }
}
