import { spanKindName, type SpanKind } from '../../../telemetry/span-kind.js';
import { calleeKey } from './operation-tally.js';
import { PairNumbers } from './pair-numbers.js';

/**
 * Numbers for what spans are counted by, the same from portion to portion: names; services of Grids; operations that are
 * called; and series, which are the spans of one operation, kind and role (entry or not). A column holds a number where
 * a text would cost an object.
 */
export class SpanNames {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  private readonly grids = new Map<string, number>();
  private readonly gridIds: string[] = [];
  private readonly services = new PairNumbers();
  private readonly callees = new PairNumbers();
  private readonly series = new PairNumbers();
  private readonly calleeOfSeries: number[] = [];
  private readonly serviceOfSeries: number[] = [];
  private readonly calleeKeys: string[] = [];

  /** Series: what grows fastest. */
  get size(): number {
    return this.series.count + this.texts.length;
  }

  /** Forgets everything. Answers the names as they were. */
  renew(): SpanNames {
    const before = Object.assign(new SpanNames(), this);
    Object.assign(this, new SpanNames());
    return before;
  }

  /** The number of a series that had this one among other names. */
  takeSeries(from: SpanNames, series: number): number {
    const service = from.serviceOf(series);
    const grid = this.grid(from.gridId(from.gridOfService(service)));
    return this.seriesOf(grid, from.serviceName(service), from.operationOf(series), from.kindOf(series), from.isEntry(series));
  }

  name(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }

  text(name: number): string {
    return this.texts[name];
  }

  grid(gridId: string): number {
    let number = this.grids.get(gridId);
    if (number === undefined) {
      number = this.gridIds.push(gridId) - 1;
      this.grids.set(gridId, number);
    }
    return number;
  }

  gridId(grid: number): string {
    return this.gridIds[grid];
  }

  /** A series by the names that it counts under. `kind` as on the wire, 1 to 5. */
  seriesOf(grid: number, service: string, operation: string, kind: number, entry: boolean): number {
    const callee = this.callees.of(this.services.of(grid, this.name(service)), this.name(operation));
    const series = this.series.of(callee, kind * 2 + Number(entry));
    this.calleeOfSeries[series] = callee;
    this.serviceOfSeries[series] = this.callees.firsts[callee];
    return series;
  }

  calleeOf(series: number): number {
    return this.calleeOfSeries[series];
  }

  /** 1 to 5, as on the wire. */
  kindOf(series: number): number {
    return this.series.seconds[series] >> 1;
  }

  kindNameOf(series: number): SpanKind {
    return spanKindName(this.kindOf(series));
  }

  isEntry(series: number): boolean {
    return (this.series.seconds[series] & 1) === 1;
  }

  /** Number of the service, which belongs to one Grid. */
  serviceOf(series: number): number {
    return this.serviceOfSeries[series];
  }

  operationOf(series: number): string {
    return this.operationOfCallee(this.calleeOfSeries[series]);
  }

  /** Service and operation of a callee, as one text. */
  calleeKey(callee: number): string {
    return (this.calleeKeys[callee] ??= calleeKey(this.serviceOfCallee(callee), this.operationOfCallee(callee)));
  }

  serviceOfCallee(callee: number): string {
    return this.serviceName(this.callees.firsts[callee]);
  }

  operationOfCallee(callee: number): string {
    return this.texts[this.callees.seconds[callee]];
  }

  gridOfService(service: number): number {
    return this.services.firsts[service];
  }

  /** The service's name, as a number and as a text. */
  nameOfService(service: number): number {
    return this.services.seconds[service];
  }

  gridOfSeries(series: number): number {
    return this.gridOfService(this.serviceOf(series));
  }

  serviceName(service: number): string {
    return this.texts[this.services.seconds[service]];
  }
}
