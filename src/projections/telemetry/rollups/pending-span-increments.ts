import { doubleCapacity } from '../../../telemetry/columns/column-capacity.js';
import type { EdgeAccumulator } from './grid-rollup-accumulator.js';
import type { InstanceStats, OperationAccumulator } from './service-rollup-accumulator.js';
import { PairInterner, type SpanSeriesInterner } from './span-series-interner.js';
import type { SpanColumns } from '../../../telemetry/columns/span-batch-columns.js';

/** Values of `what`: the kind of an increment. */
const SELF = 0;

const ORIGIN = 1;
const CALL = 2;
const FAILED_CALL = 3;
const WIRE = 4;

/**
 * Changes of rollups by the spans of a batch, in numeric form: recorded while spans are linked, applied when all
 * affected rollups are loaded.
 */
export class PendingSpanIncrements {
  /** Pairs of series and minute. */
  readonly cells = new PairInterner();
  /** Pairs of service and target: twice the name id, plus 1 for a virtual node. */
  readonly edges = new PairInterner();
  /** Pairs of edge and minute. */
  readonly edgeCells = new PairInterner();
  /** Pairs of the caller's cell and the callee. */
  private readonly calls = new PairInterner();
  private readonly callCounts: number[] = [];
  private count = 0;
  private what = new Uint8Array(1024);
  private where = new Int32Array(1024);
  private times = new Int32Array(1024);
  private values = new Float64Array(1024);

  constructor(private readonly names: SpanSeriesInterner) {}

  /** Records that a span of a series and minute called an operation. */
  addCall(series: number, minute: number, callee: number): void {
    const pair = this.calls.intern(this.cells.intern(series, minute), callee);
    this.callCounts[pair] = (this.callCounts[pair] ?? 0) + 1;
  }

  /** `times`: 1, or −1 to subtract; likewise below. */
  addSelfTime(series: number, minute: number, selfNs: number, times: number): void {
    this.record(SELF, this.cells.intern(series, minute), selfNs, times);
  }

  addOriginError(series: number, minute: number, times: number): void {
    this.record(ORIGIN, this.cells.intern(series, minute), 0, times);
  }

  /** Records a call from a service to another one, or to the virtual node of that name. */
  addEdgeCall(
    service: number,
    target: number,
    virtual: boolean,
    minute: number,
    durationNs: number,
    isError: boolean,
    times: number,
  ): void {
    this.record(isError ? FAILED_CALL : CALL, this.edgeCell(service, target, virtual, minute), durationNs, times);
  }

  /** Fixes the position of an edge in log order, before its calls are recorded. */
  openEdge(service: number, target: number, virtual: boolean, minute: number): void {
    this.edgeCell(service, target, virtual, minute);
  }

  addWireTime(service: number, target: number, minute: number, wireNs: number, times: number): void {
    this.record(WIRE, this.edgeCell(service, target, false, minute), wireNs, times);
  }

  /** Accumulators by the numbers of cells and of edge cells. */
  applyTo(operations: readonly OperationAccumulator[], edges: readonly EdgeAccumulator[]): void {
    const { names, calls } = this;
    for (let i = 0; i < calls.count; i++) {
      const callee = calls.seconds[i];
      operations[calls.firsts[i]].addCalls(
        names.calleeKey(callee),
        names.calleeService(callee),
        names.calleeOperation(callee),
        this.callCounts[i],
      );
    }
    for (let i = 0; i < this.count; i++) this.apply(i, operations, edges);
  }

  private apply(i: number, operations: readonly OperationAccumulator[], edges: readonly EdgeAccumulator[]): void {
    const where = this.where[i];
    const value = this.values[i];
    const times = this.times[i];
    switch (this.what[i]) {
      case SELF:
        return operations[where].addSelfTime(value, times);
      case ORIGIN:
        operations[where].originErrors += times;
        return;
      case WIRE:
        return edges[where].addWireTime(value, times);
      default:
        edges[where].addCall(value, this.what[i] === FAILED_CALL, times);
    }
  }

  private edgeCell(service: number, target: number, virtual: boolean, minute: number): number {
    return this.edgeCells.intern(this.edges.intern(service, target * 2 + Number(virtual)), minute);
  }

  private record(what: number, where: number, value: number, times: number): void {
    if (this.count === this.what.length) this.grow();
    const at = this.count++;
    this.what[at] = what;
    this.where[at] = where;
    this.values[at] = value;
    this.times[at] = times;
  }

  private grow(): void {
    this.what = doubleCapacity(this.what);
    this.where = doubleCapacity(this.where);
    this.times = doubleCapacity(this.times);
    this.values = doubleCapacity(this.values);
  }
}

/** Activity of versions and instances in a batch, counted by resource and minute. */
export class InstanceObservations {
  /** Pairs of resource and minute. */
  readonly groups = new PairInterner();
  /** Service number of each group. */
  readonly services: number[] = [];
  readonly counts: { -readonly [K in keyof InstanceStats]: InstanceStats[K] }[] = [];

  constructor(
    private readonly columns: Pick<SpanColumns, 'resource' | 'resourceVersions' | 'resourceInstances' | 'strings'>,
  ) {}

  /** Adds a span that ended at `endUs`; `service`: number of the service that it counts for. */
  add(
    row: number,
    service: number,
    minute: number,
    endUs: number,
    durationNs: number,
    isEntry: boolean,
    isError: boolean,
  ): void {
    const group = this.groups.intern(this.columns.resource[row], minute);
    const counts = (this.counts[group] ??= this.begin(service));
    counts.spans++;
    if (endUs < counts.firstUs) counts.firstUs = endUs;
    if (endUs > counts.lastUs) counts.lastUs = endUs;
    if (!isEntry) return;
    counts.requests++;
    counts.durationNs += durationNs;
    if (isError) counts.errors++;
  }

  /** "" if the resource does not report it; likewise below. */
  version(group: number): string {
    const { resourceVersions, strings } = this.columns;
    return strings.text(resourceVersions[this.groups.firsts[group]]);
  }

  instance(group: number): string {
    const { resourceInstances, strings } = this.columns;
    return strings.text(resourceInstances[this.groups.firsts[group]]);
  }

  private begin(service: number): InstanceStats {
    this.services.push(service);
    return { spans: 0, requests: 0, errors: 0, durationNs: 0, firstUs: Infinity, lastUs: -Infinity };
  }
}
