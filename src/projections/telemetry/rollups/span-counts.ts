import { LONGEST_NAME, OTHER } from '../../../diagnostics/rollups.js';
import type { SpanColumns } from '../../../telemetry/span-columns.js';
import type { ApdexThresholds } from './apdex-thresholds.js';
import { exceptionId } from './exception-id.js';
import type { EdgeTally, GridTally } from './grid-tally.js';
import type { OperationTally } from './operation-tally.js';
import { RollupGroups } from './rollup-groups.js';
import type { RollupShelf } from './rollup-shelf.js';
import type { ServiceCatalogs } from './service-catalogs.js';
import type { ServiceTally } from './service-tally.js';
import type { SpanBookings } from './span-bookings.js';
import type { SpanNames } from './span-names.js';
import { SpanSightings } from './span-sightings.js';
import { ERROR, minuteOf, type SpanRing } from './span-ring.js';

/** What the spans of a portion bring to rollups: counted in numbers, then added to tallies. */
export class SpanCounts {
  private readonly sightings: SpanSightings;
  /** Series and minute of each span, in the order of the log; the numbers of spans follow each other. */
  private readonly cells: Uint32Array;
  private readonly firstsUs: number[] = [];
  private readonly services = new RollupGroups<ServiceTally>();
  private readonly grids = new RollupGroups<GridTally>();
  /** Row of the portion to its service, for exceptions. */
  private readonly serviceOfRow = new Map<number, number>();
  /** The first exception of the rows that follow: both are in the order of rows. */
  private nextException = 0;
  private count = 0;
  private first = 0;

  constructor(
    private readonly columns: SpanColumns,
    private readonly names: SpanNames,
    private readonly ring: SpanRing,
    private readonly bookings: SpanBookings,
    total: number,
  ) {
    this.sightings = new SpanSightings(columns);
    this.cells = new Uint32Array(total);
  }

  /** Counts a span of the ring. */
  add(row: number, number: number): void {
    const { ring, names } = this;
    if (this.count === 0) this.first = number;
    const slot = ring.slot(number);
    const series = ring.series[slot];
    const endUs = ring.endUs(slot);
    const minute = minuteOf(endUs);
    const cell = this.bookings.cells.of(series, minute);
    this.cells[this.count++] = cell;
    if (!(this.firstsUs[cell] <= endUs)) this.firstsUs[cell] = endUs;
    const service = names.serviceOf(series);
    this.sightings.add(row, service, minute, endUs, ring.durationNs[slot], names.isEntry(series), (ring.flags[slot] & ERROR) !== 0);
    if (this.hasException(row)) this.serviceOfRow.set(row, service);
  }

  /** Adds everything to its rollups, and to the catalogs. Call when all spans are linked. */
  async book(services: RollupShelf<ServiceTally>, grids: RollupShelf<GridTally>, thresholds: ApdexThresholds, catalogs: ServiceCatalogs): Promise<void> {
    const { names, bookings } = this;
    const { cells, edgeCells, edges } = bookings;
    const groups = cells.firsts.map((series, cell) => this.services.of(names.serviceOf(series), cells.seconds[cell]));
    const edgeGroups = edgeCells.firsts.map((edge, cell) => this.grids.of(names.gridOfService(edges.firsts[edge]), edgeCells.seconds[cell]));
    const counted = this.services.count;
    for (let group = 0; group < counted; group++) this.grids.of(names.gridOfService(this.services.owner(group)), this.services.minute(group));
    const exceptionGroups = this.exceptionGroups();
    await this.services.open(services, (service) => ({ gridId: names.gridId(names.gridOfService(service)), service: names.serviceName(service) }));
    await this.grids.open(grids, (grid) => ({ gridId: names.gridId(grid), service: '' }));
    const operations = groups.map((group, cell) => operationIn(this.services.tallies[group], names, cells.firsts[cell]));
    const edgeTallies = edgeGroups.map((group, cell) => edgeIn(this.grids.tallies[group], names, edges.firsts[edgeCells.firsts[cell]], edges.seconds[edgeCells.firsts[cell]]));
    this.bookSpans(operations, thresholds);
    bookings.bookOn(operations, edgeTallies);
    this.bookExceptions(exceptionGroups);
    this.bookSightings(catalogs);
    this.noteNames(catalogs);
    this.bookTotals(counted);
  }

  /** Rows are asked for in ascending order. */
  private hasException(row: number): boolean {
    const { exceptionRow, exceptionCount } = this.columns;
    while (this.nextException < exceptionCount && exceptionRow[this.nextException] < row) this.nextException++;
    return this.nextException < exceptionCount && exceptionRow[this.nextException] === row;
  }

  /** Series by series, so that a tally and its sketches are touched together. */
  private bookSpans(operations: readonly OperationTally[], thresholds: ApdexThresholds): void {
    const { ring, names } = this;
    const { firsts } = this.bookings.cells;
    const { ends, spans } = this.byCell();
    for (let cell = 0, at = 0; cell < ends.length; cell++) {
      const thresholdNs = thresholds.nsOf(names.gridId(names.gridOfSeries(firsts[cell])));
      for (; at < ends[cell]; at++) {
        const slot = ring.slot(this.first + spans[at]);
        operations[cell].addSpan(ring.durationNs[slot], (ring.flags[slot] & ERROR) !== 0, thresholdNs);
        operations[cell].addSelf(ring.selfNs[slot], 1);
      }
    }
  }

  /** The spans by their cells: those of a cell end before `ends[cell]`. */
  private byCell(): { readonly ends: Uint32Array; readonly spans: Uint32Array } {
    const { cells, count } = this;
    const ends = new Uint32Array(this.bookings.cells.count);
    for (let i = 0; i < count; i++) ends[cells[i]]++;
    for (let cell = 1; cell < ends.length; cell++) ends[cell] += ends[cell - 1];
    const spans = new Uint32Array(count);
    const starts = ends.slice();
    for (let i = count - 1; i >= 0; i--) spans[--starts[cells[i]]] = i;
    return { ends, spans };
  }

  /** Group of each exception; -1 for those of rows that do not count, and for what the same span has told already. */
  private exceptionGroups(): number[] {
    const { exceptionCount, exceptionRow, exceptionType, exceptionMessage, exceptionUs } = this.columns;
    const told = new Set<string>();
    return Array.from({ length: exceptionCount }, (_, i) => {
      const service = this.serviceOfRow.get(exceptionRow[i]);
      const key = `${exceptionRow[i]}/${exceptionType[i]}/${exceptionMessage[i]}`;
      if (service === undefined || told.has(key)) return -1;
      told.add(key);
      return this.services.of(service, minuteOf(exceptionUs[i]));
    });
  }

  private bookExceptions(groups: readonly number[]): void {
    const { exceptionRow, exceptionType, exceptionMessage, strings, traceId, spanId } = this.columns;
    groups.forEach((group, i) => {
      if (group < 0) return;
      const type = strings.text(exceptionType[i]);
      const message = strings.text(exceptionMessage[i]);
      this.services.tallies[group].exceptions.add(type, message, exceptionId(traceId, spanId, exceptionRow[i], type, message));
    });
  }

  private bookSightings(catalogs: ServiceCatalogs): void {
    const { sightings, names } = this;
    sightings.counts.forEach((counts, group) => {
      const service = sightings.services[group];
      const minute = sightings.groups.seconds[group];
      const tally = this.services.tallies[this.services.of(service, minute)];
      const instance = sightings.instance(group);
      if (instance !== '') tally.addInstance(instance.length > LONGEST_NAME ? OTHER : instance, counts);
      const version = sightings.version(group);
      if (version === '') return;
      const known = catalogs.of(names.gridId(names.gridOfService(service)), names.serviceName(service));
      const counted = known.version(version);
      tally.addVersion(counted, counts);
      known.noteVersion(counted, minute, counts.firstUs);
    });
  }

  private noteNames(catalogs: ServiceCatalogs): void {
    const { names } = this;
    const { firsts, seconds } = this.bookings.cells;
    this.firstsUs.forEach((firstUs, cell) => {
      const series = firsts[cell];
      const service = names.serviceOf(series);
      const known = catalogs.of(names.gridId(names.gridOfService(service)), names.serviceName(service));
      known.noteOperation(names.operationOf(series), names.isEntry(series), seconds[cell], firstUs);
    });
  }

  /** Of those groups that spans count in; the others have but exceptions. */
  private bookTotals(groups: number): void {
    const { services, grids, names } = this;
    for (let group = 0; group < groups; group++) {
      const grid = grids.of(names.gridOfService(services.owner(group)), services.minute(group));
      grids.tallies[grid].setTotals(services.tallies[group].totals());
    }
  }
}

function operationIn(tally: ServiceTally, names: SpanNames, series: number): OperationTally {
  return tally.operation(names.operationOf(series), names.kindNameOf(series), names.isEntry(series));
}

/** `target`: twice the name, and one more for a virtual node. */
function edgeIn(tally: GridTally, names: SpanNames, source: number, target: number): EdgeTally {
  return tally.edge(names.serviceName(source), names.text(target >>> 1), (target & 1) === 1);
}
