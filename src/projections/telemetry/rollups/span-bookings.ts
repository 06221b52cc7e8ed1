import { doubled } from '../../../telemetry/growth.js';
import type { EdgeTally } from './grid-tally.js';
import type { OperationTally } from './operation-tally.js';
import { PairNumbers } from './pair-numbers.js';
import type { SpanNames } from './span-names.js';

/** Values of `what`: on what they are booked, and how much of it. */
const SELF = 0;
const ORIGIN = 1;
const CALL = 2;
const FAILED_CALL = 3;
const WIRE = 4;

/**
 * What the spans of a portion change, in numbers: noted while spans are linked, and booked when all rollups that it
 * concerns are at hand.
 */
export class SpanBookings {
  /** Series and minutes. */
  readonly cells = new PairNumbers();
  /** Services and targets: names, twice, and one more for virtual ones. */
  readonly edges = new PairNumbers();
  /** Edges and minutes. */
  readonly edgeCells = new PairNumbers();
  /** Cells of callers, and whom they call. */
  private readonly calls = new PairNumbers();
  private readonly callCounts: number[] = [];
  private count = 0;
  private what = new Uint8Array(1024);
  private where = new Int32Array(1024);
  private times = new Int32Array(1024);
  private values = new Float64Array(1024);

  constructor(private readonly names: SpanNames) {}

  /** A span of a series in a minute called another operation. */
  addCall(series: number, minute: number, callee: number): void {
    const pair = this.calls.of(this.cells.of(series, minute), callee);
    this.callCounts[pair] = (this.callCounts[pair] ?? 0) + 1;
  }

  /** `times`: 1, or −1 to take back; so below. */
  self(series: number, minute: number, selfNs: number, times: number): void {
    this.note(SELF, this.cells.of(series, minute), selfNs, times);
  }

  originError(series: number, minute: number, times: number): void {
    this.note(ORIGIN, this.cells.of(series, minute), 0, times);
  }

  /** A call from a service to another, or to the virtual node of that name. */
  edge(service: number, target: number, virtual: boolean, minute: number, durationNs: number, isError: boolean, times: number): void {
    this.note(isError ? FAILED_CALL : CALL, this.edgeCell(service, target, virtual, minute), durationNs, times);
  }

  /** An edge follows that opened here, in the order of the log. */
  openEdge(service: number, target: number, virtual: boolean, minute: number): void {
    this.edgeCell(service, target, virtual, minute);
  }

  wire(service: number, target: number, minute: number, wireNs: number, times: number): void {
    this.note(WIRE, this.edgeCell(service, target, false, minute), wireNs, times);
  }

  /** Tallies by the numbers of cells and of edge cells. */
  bookOn(operations: readonly OperationTally[], edges: readonly EdgeTally[]): void {
    const { names, calls } = this;
    for (let i = 0; i < calls.count; i++) {
      const callee = calls.seconds[i];
      operations[calls.firsts[i]].addCalls(names.calleeKey(callee), names.serviceOfCallee(callee), names.operationOfCallee(callee), this.callCounts[i]);
    }
    for (let i = 0; i < this.count; i++) this.book(i, operations, edges);
  }

  private book(i: number, operations: readonly OperationTally[], edges: readonly EdgeTally[]): void {
    const where = this.where[i];
    const value = this.values[i];
    const times = this.times[i];
    switch (this.what[i]) {
      case SELF:
        return operations[where].addSelf(value, times);
      case ORIGIN:
        operations[where].originErrors += times;
        return;
      case WIRE:
        return edges[where].addWire(value, times);
      default:
        edges[where].addCall(value, this.what[i] === FAILED_CALL, times);
    }
  }

  private edgeCell(service: number, target: number, virtual: boolean, minute: number): number {
    return this.edgeCells.of(this.edges.of(service, target * 2 + Number(virtual)), minute);
  }

  private note(what: number, where: number, value: number, times: number): void {
    if (this.count === this.what.length) this.grow();
    const at = this.count++;
    this.what[at] = what;
    this.where[at] = where;
    this.values[at] = value;
    this.times[at] = times;
  }

  private grow(): void {
    this.what = doubled(this.what);
    this.where = doubled(this.where);
    this.times = doubled(this.times);
    this.values = doubled(this.values);
  }
}
