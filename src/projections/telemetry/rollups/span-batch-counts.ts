import { MAX_NAME_LENGTH, OTHER_NAME } from '../../../diagnostics/rollups/rollup-types.js';
import type { SpanColumns } from '../../../telemetry/columns/span-batch-columns.js';
import type { ApdexThresholds } from './apdex-thresholds.js';
import { hashException } from './exception-accumulator.js';
import type { EdgeAccumulator, GridRollupAccumulator } from './grid-rollup-accumulator.js';
import type { OperationAccumulator, ServiceRollupAccumulator } from './service-rollup-accumulator.js';
import type { RollupBuffer, RollupKey } from './rollup-buffer.js';
import type { ServiceCatalogs } from './service-catalogs.js';
import { InstanceObservations, type PendingSpanIncrements } from './pending-span-increments.js';
import { PairInterner, type SpanSeriesInterner } from './span-series-interner.js';
import { ERROR, type SpanRingBuffer, toMinute } from './span-ring-buffer.js';

/** Counts the spans of a batch by numeric ids, then adds the counts to the rollups. */
export class SpanBatchCounts {
  private readonly instances: InstanceObservations;
  /** Cell (series and minute) of each span, in log order; span numbers are consecutive. */
  private readonly cells: Uint32Array;
  private readonly firstsUs: number[] = [];
  private readonly services = new RollupGroups<ServiceRollupAccumulator>();
  private readonly grids = new RollupGroups<GridRollupAccumulator>();
  /** Service of each row with an exception. */
  private readonly serviceOfRow = new Map<number, number>();
  /** Index of the first exception of the following rows: both are sorted by row. */
  private nextException = 0;
  private count = 0;
  private first = 0;

  constructor(
    private readonly columns: SpanColumns,
    private readonly names: SpanSeriesInterner,
    private readonly ring: SpanRingBuffer,
    private readonly increments: PendingSpanIncrements,
    total: number,
  ) {
    this.instances = new InstanceObservations(columns);
    this.cells = new Uint32Array(total);
  }

  /** Counts a span of the ring buffer. */
  add(row: number, number: number): void {
    const { ring, names } = this;
    if (this.count === 0) this.first = number;
    const slot = ring.slot(number);
    const series = ring.series[slot];
    const endUs = ring.endUs(slot);
    const minute = toMinute(endUs);
    const cell = this.increments.cells.intern(series, minute);
    this.cells[this.count++] = cell;
    if (!(this.firstsUs[cell] <= endUs)) this.firstsUs[cell] = endUs;
    const service = names.seriesService(series);
    this.instances.add(
      row,
      service,
      minute,
      endUs,
      ring.durationNs[slot],
      names.isEntry(series),
      (ring.flags[slot] & ERROR) !== 0,
    );
    if (this.hasException(row)) this.serviceOfRow.set(row, service);
  }

  /** Adds everything to its rollups and to the catalogs. Call when all spans are linked. */
  async applyTo(
    services: RollupBuffer<ServiceRollupAccumulator>,
    grids: RollupBuffer<GridRollupAccumulator>,
    thresholds: ApdexThresholds,
    catalogs: ServiceCatalogs,
  ): Promise<void> {
    const { names, increments } = this;
    const { cells, edgeCells, edges } = increments;
    const groups = cells.firsts.map((series, cell) =>
      this.services.intern(names.seriesService(series), cells.seconds[cell]),
    );
    const edgeGroups = edgeCells.firsts.map((edge, cell) =>
      this.grids.intern(names.serviceGrid(edges.firsts[edge]), edgeCells.seconds[cell]),
    );
    const counted = this.services.count;
    for (let group = 0; group < counted; group++)
      this.grids.intern(names.serviceGrid(this.services.owner(group)), this.services.minute(group));
    const exceptionGroups = this.findExceptionGroups();
    await this.services.open(services, (service) => ({
      gridId: names.gridId(names.serviceGrid(service)),
      service: names.serviceName(service),
    }));
    await this.grids.open(grids, (grid) => ({ gridId: names.gridId(grid), service: '' }));
    const operations = groups.map((group, cell) =>
      findOperation(this.services.accumulators[group], names, cells.firsts[cell]),
    );
    const edgeAccumulators = edgeGroups.map((group, cell) =>
      findEdge(
        this.grids.accumulators[group],
        names,
        edges.firsts[edgeCells.firsts[cell]],
        edges.seconds[edgeCells.firsts[cell]],
      ),
    );
    this.applySpans(operations, thresholds);
    increments.applyTo(operations, edgeAccumulators);
    this.applyExceptions(exceptionGroups);
    this.applyInstances(catalogs);
    this.recordNames(catalogs);
    this.applyTotals(counted);
  }

  /** Call with ascending rows. */
  private hasException(row: number): boolean {
    const { exceptionRow, exceptionCount } = this.columns;
    while (this.nextException < exceptionCount && exceptionRow[this.nextException] < row) this.nextException++;
    return this.nextException < exceptionCount && exceptionRow[this.nextException] === row;
  }

  /** Cell by cell, so that an accumulator and its sketches stay in the CPU cache. */
  private applySpans(operations: readonly OperationAccumulator[], thresholds: ApdexThresholds): void {
    const { ring, names } = this;
    const { firsts } = this.increments.cells;
    const { ends, spans } = this.sortByCell();
    for (let cell = 0, at = 0; cell < ends.length; cell++) {
      const thresholdNs = thresholds.thresholdNs(names.gridId(names.seriesGrid(firsts[cell])));
      for (; at < ends[cell]; at++) {
        const slot = ring.slot(this.first + spans[at]);
        operations[cell].addSpan(ring.durationNs[slot], (ring.flags[slot] & ERROR) !== 0, thresholdNs);
        operations[cell].addSelfTime(ring.selfNs[slot], 1);
      }
    }
  }

  /** Spans sorted by cell: those of a cell end before `ends[cell]`. */
  private sortByCell(): { readonly ends: Uint32Array; readonly spans: Uint32Array } {
    const { cells, count } = this;
    const ends = new Uint32Array(this.increments.cells.count);
    for (let i = 0; i < count; i++) ends[cells[i]]++;
    for (let cell = 1; cell < ends.length; cell++) ends[cell] += ends[cell - 1];
    const spans = new Uint32Array(count);
    const starts = ends.slice();
    for (let i = count - 1; i >= 0; i--) spans[--starts[cells[i]]] = i;
    return { ends, spans };
  }

  /** Group of each exception; -1 for those of rows that do not count and for duplicates within a span. */
  private findExceptionGroups(): number[] {
    const { exceptionCount, exceptionRow, exceptionType, exceptionMessage, exceptionUs } = this.columns;
    const seen = new Set<string>();
    return Array.from({ length: exceptionCount }, (_, i) => {
      const service = this.serviceOfRow.get(exceptionRow[i]);
      const key = `${exceptionRow[i]}/${exceptionType[i]}/${exceptionMessage[i]}`;
      if (service === undefined || seen.has(key)) return -1;
      seen.add(key);
      return this.services.intern(service, toMinute(exceptionUs[i]));
    });
  }

  private applyExceptions(groups: readonly number[]): void {
    const { exceptionRow, exceptionType, exceptionMessage, strings, traceId, spanId } = this.columns;
    groups.forEach((group, i) => {
      if (group < 0) return;
      const type = strings.text(exceptionType[i]);
      const message = strings.text(exceptionMessage[i]);
      this.services.accumulators[group].exceptions.add(
        type,
        message,
        hashException(traceId, spanId, exceptionRow[i], type, message),
      );
    });
  }

  private applyInstances(catalogs: ServiceCatalogs): void {
    const { instances, names } = this;
    instances.counts.forEach((counts, group) => {
      const service = instances.services[group];
      const minute = instances.groups.seconds[group];
      const accumulator = this.services.accumulators[this.services.intern(service, minute)];
      const instance = instances.instance(group);
      if (instance !== '') accumulator.addInstance(instance.length > MAX_NAME_LENGTH ? OTHER_NAME : instance, counts);
      const version = instances.version(group);
      if (version === '') return;
      const catalog = catalogs.resolve(names.gridId(names.serviceGrid(service)), names.serviceName(service));
      const counted = catalog.admitVersion(version);
      accumulator.addVersion(counted, counts);
      catalog.recordVersion(counted, minute, counts.firstUs);
    });
  }

  private recordNames(catalogs: ServiceCatalogs): void {
    const { names } = this;
    const { firsts, seconds } = this.increments.cells;
    this.firstsUs.forEach((firstUs, cell) => {
      const series = firsts[cell];
      const service = names.seriesService(series);
      const catalog = catalogs.resolve(names.gridId(names.serviceGrid(service)), names.serviceName(service));
      catalog.recordOperation(names.seriesOperation(series), names.isEntry(series), seconds[cell], firstUs);
    });
  }

  /** Only for groups with spans; the others contain exceptions only. */
  private applyTotals(groups: number): void {
    const { services, grids, names } = this;
    for (let group = 0; group < groups; group++) {
      const grid = grids.intern(names.serviceGrid(services.owner(group)), services.minute(group));
      grids.accumulators[grid].setTotals(services.accumulators[group].computeTotals());
    }
  }
}

function findOperation(
  accumulator: ServiceRollupAccumulator,
  names: SpanSeriesInterner,
  series: number,
): OperationAccumulator {
  return accumulator.getOrCreateOperation(
    names.seriesOperation(series),
    names.seriesKindName(series),
    names.isEntry(series),
  );
}

/** `target`: twice the name id, plus 1 for a virtual node. */
function findEdge(
  accumulator: GridRollupAccumulator,
  names: SpanSeriesInterner,
  source: number,
  target: number,
): EdgeAccumulator {
  return accumulator.getOrCreateEdge(names.serviceName(source), names.text(target >>> 1), (target & 1) === 1);
}

/** Rollups that a batch adds to, by minute and by a number that identifies Grid and service. */
class RollupGroups<A> {
  private readonly groups = new PairInterner();
  accumulators: readonly A[] = [];

  /** Number of the group. It has no accumulator until `open`. */
  intern(owner: number, minute: number): number {
    return this.groups.intern(owner, minute);
  }

  get count(): number {
    return this.groups.count;
  }

  owner(group: number): number {
    return this.groups.firsts[group];
  }

  minute(group: number): number {
    return this.groups.seconds[group];
  }

  /** Opens the accumulators of all groups. `locate` returns Grid and service of an owner. */
  async open(
    buffer: RollupBuffer<A>,
    locate: (owner: number) => Pick<RollupKey, 'service'> & { readonly gridId: string },
  ): Promise<void> {
    const accumulators: A[] = [];
    for (let group = 0; group < this.count; group++) {
      const { gridId, service } = locate(this.owner(group));
      accumulators.push(await buffer.open(gridId, this.minute(group), service));
    }
    this.accumulators = accumulators;
  }
}
