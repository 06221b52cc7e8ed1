import type { SpanKind } from '../../telemetry/span-kind.js';
import type { DiagnosticsInput } from '../input.js';
import { claimsOf } from '../pressure/claims.js';
import { readingsOf } from '../pressure/readings.js';
import { OTHER, type EdgeRollup, type LogRollup, type MetricRollup, type ServiceRollup, type ServiceTotals, type Timed } from '../rollups.js';
import type { Sketch } from '../sketch.js';
import { resourceOf } from './metric-kinds.js';
import { operationFiguresOf, type Shape, type ShapedOperation } from './operation-shapes.js';
import { roster, type Roster } from './roster.js';
import type { Timeline } from './timeline.js';
import type { CallSeries, EdgeSeries, InstanceSeries, LevelSeries, NamedCounts, OperationSeries, Series, ServiceSeries } from './series.js';

export function seriesOf(input: Pick<DiagnosticsInput, 'grids' | 'services' | 'logs' | 'metrics'>, timeline: Timeline): Series {
  const zeros = zerosOf(timeline.starts.length);
  const services = roster((name) => new GrowingService(name, zeros));
  const edges = roster((source) => roster((target) => [true, false].map((virtual) => edgeSeries(source, target, virtual, zeros))));
  // One service after the other: its rows are in the processor's cache while its stretches are written.
  const byService = roster((): [at: number, rollup: ServiceRollup][] => []);
  for (const [at, rollup] of placed(input.services, timeline)) byService.of(rollup.service).push([at, rollup]);
  for (const own of byService.entries) for (const [at, rollup] of own) services.of(rollup.service).addSpans(rollup, at);
  for (const [at, rollup] of placed(input.grids, timeline)) {
    for (const totals of rollup.services) services.of(totals.service).addTotals(totals, at);
    for (const edge of rollup.edges) addEdge(edges.of(edge.source).of(edge.target)[edge.virtual ? 0 : 1], edge, at);
  }
  for (const [at, rollup] of placed(input.logs, timeline)) services.of(rollup.service).addLogs(rollup, at);
  for (const [at, rollup, minutes] of placed(input.metrics, timeline)) services.of(rollup.service).addMetrics(rollup, at, minutes);
  return { timeline, services: services.entries.filter(({ service }) => service !== OTHER), edges: edges.entries.flatMap((targets) => targets.entries.flat()).filter(isInUse) };
}

/** Makes a row of zeros, one figure a stretch. */
type Zeros = () => Float64Array;

/** Rows share their memory: thousands of small buffers would cost more than what is in them. */
const ROWS = 512;

function zerosOf(width: number): Zeros {
  let buffer = new ArrayBuffer(0);
  let used = 0;
  return () => {
    if ((used + width) * Float64Array.BYTES_PER_ELEMENT > buffer.byteLength) [buffer, used] = [new ArrayBuffer(ROWS * width * Float64Array.BYTES_PER_ELEMENT), 0];
    used += width;
    return new Float64Array(buffer, (used - width) * Float64Array.BYTES_PER_ELEMENT, width);
  };
}

function* placed<T>(items: readonly Timed<T>[], timeline: Timeline): Generator<readonly [at: number, value: T, minutes: number]> {
  for (const { minute, minutes, value } of items) {
    const at = timeline.indexOf(minute);
    if (at !== undefined) yield [at, value, minutes];
  }
}

class GrowingService implements ServiceSeries {
  readonly requests = this.zeros();
  readonly errors = this.zeros();
  readonly durationNs = this.zeros();
  readonly spans = this.zeros();
  readonly records = this.zeros();
  readonly operations: GrowingOperation[] = [];
  private readonly rollups: (ServiceRollup | undefined)[] = [];
  private readonly rows = new Map<Shape, readonly Float64Array[]>();
  private readonly operationRoster = roster((): GrowingOperation[] => []);
  private readonly templateRoster = this.counts();
  private readonly exceptionRoster = this.counts();
  private readonly versionRoster = this.counts();
  private readonly instanceRoster = roster((instance): InstanceSeries => ({ instance, requests: this.zeros(), errors: this.zeros(), durationNs: this.zeros() }));
  private readonly levelRoster = roster((): GrowingLevel[] => []);
  readonly templates = this.templateRoster.entries;
  readonly exceptions = this.exceptionRoster.entries;
  readonly versions = this.versionRoster.entries;
  readonly instances = this.instanceRoster.entries;
  readonly levels: LevelSeries[] = [];

  constructor(
    readonly service: string,
    private readonly zeros: Zeros,
  ) {}

  addSpans(rollup: ServiceRollup, at: number): void {
    const { exceptions, versions, instances } = rollup;
    this.rollups[at] = rollup;
    const { shape, figures } = operationFiguresOf(rollup);
    const rows = this.rowsOf(shape);
    for (let i = 0; i < figures.length; i++) rows[i][at] += figures[i];
    for (const { type, message, count } of exceptions) this.exceptionRoster.of(exceptionName(type, message)).count[at] += count;
    for (const { version, spans } of versions) this.versionRoster.of(version).count[at] += spans;
    for (const { instance, requests, errors, durationNs } of instances) {
      const series = this.instanceRoster.of(instance);
      series.requests[at] += requests;
      series.errors[at] += errors;
      series.durationNs[at] += durationNs;
    }
  }

  addTotals({ count, errors, durationNs, kinds }: ServiceTotals, at: number): void {
    for (const spans of kinds) this.spans[at] += spans;
    this.requests[at] += count;
    this.errors[at] += errors;
    this.durationNs[at] += durationNs;
  }

  addLogs({ templates, exceptions }: LogRollup, at: number): void {
    for (const { template, severity, count } of templates) {
      const series = this.templateRoster.of(template);
      series.count[at] += count;
      series.severity = Math.max(series.severity, severity);
      this.records[at] += count;
    }
    for (const { type, message, count } of exceptions) this.exceptionRoster.of(exceptionName(type, message)).count[at] += count;
  }

  /** Resources whose capacity conventions tell, and others that go by a telling name. */
  addMetrics(rollup: MetricRollup, at: number, minutes: number): void {
    for (const { key, type, resource, instance, utilization, capacity, queueDepth } of readingsOf(rollup)) {
      if (capacity > 0 || utilization > 0) this.level(key, `use of ${type}`, named(resource, instance), '%').add(at, utilization, 1);
      if (queueDepth > 0 || capacity === 0) this.level(`${key} waiting`, `queue of ${type}`, `${named(resource, instance)} waited for`, 'requests').add(at, queueDepth, 1);
    }
    for (const { metric, unit, kind, monotonic, instance, attributes, sum, count } of rollup.series) {
      if (resourceOf(metric) === undefined || claimsOf(metric).length > 0) continue;
      const key = `${metric} ${instance} ${attributes.join(' ')}`;
      this.level(key, metric, named(metric, instance), unit).add(at, sum, monotonic && kind === 'sum' ? minutes : count);
    }
  }

  /** Where the figures of a shape belong, in its order. */
  private rowsOf(shape: Shape): readonly Float64Array[] {
    const known = this.rows.get(shape);
    if (known !== undefined) return known;
    const rows = shape.operations.flatMap((each) => this.operation(each).rowsOf(each.calls));
    this.rows.set(shape, rows);
    return rows;
  }

  private operation({ operation, kind, entry }: ShapedOperation): GrowingOperation {
    const variants = this.operationRoster.of(operation);
    for (const variant of variants) if (variant.kind === kind && variant.entry === entry) return variant;
    const added = new GrowingOperation(operation, kind, entry, this.zeros, this.rollups);
    variants.push(added);
    this.operations.push(added);
    return added;
  }

  private level(key: string, name: string, label: string, unit: string): GrowingLevel {
    const same = this.levelRoster.of(key);
    if (same.length === 0) {
      same.push(new GrowingLevel(name, label, unit, this.zeros));
      this.levels.push(same[0]);
    }
    return same[0];
  }

  private counts(): Roster<NamedCounts> {
    return roster((name) => ({ name, count: this.zeros(), severity: 0 }));
  }

}

class GrowingLevel implements LevelSeries {
  readonly sum: Float64Array;
  readonly weight: Float64Array;

  constructor(
    readonly name: string,
    readonly label: string,
    readonly unit: string,
    zeros: Zeros,
  ) {
    this.sum = zeros();
    this.weight = zeros();
  }

  add(at: number, sum: number, weight: number): void {
    this.sum[at] += sum;
    this.weight[at] += weight;
  }
}

class GrowingOperation implements OperationSeries {
  readonly count = this.zeros();
  readonly durationNs = this.zeros();
  readonly selfNs = this.zeros();
  private sketches: (Sketch | undefined)[] | undefined;
  readonly originErrors = this.zeros();
  readonly calls: CallSeries[] = [];

  constructor(
    readonly operation: string,
    readonly kind: SpanKind,
    readonly entry: boolean,
    private readonly zeros: Zeros,
    private readonly rollups: readonly (ServiceRollup | undefined)[],
  ) {}

  readonly self = (): readonly (Sketch | undefined)[] => {
    this.sketches ??= this.rollups.map((rollup) => rollup?.operations.find(({ operation, kind, entry }) => operation === this.operation && kind === this.kind && entry === this.entry)?.self);
    return this.sketches;
  };

  rowsOf(calls: ShapedOperation['calls']): Float64Array[] {
    return [this.count, this.durationNs, this.selfNs, this.originErrors, ...calls.map(([service, operation]) => this.call(service, operation).count)];
  }

  private call(service: string, operation: string): CallSeries {
    const known = this.calls.find((call) => call.operation === operation && call.service === service);
    if (known !== undefined) return known;
    const added = { service, operation, count: this.zeros() };
    this.calls.push(added);
    return added;
  }
}

interface GrowingEdge extends EdgeSeries {
  readonly latency: (Sketch | undefined)[];
  readonly wire: (Sketch | undefined)[];
}

function edgeSeries(source: string, target: string, virtual: boolean, zeros: Zeros): GrowingEdge {
  return { source, target, virtual, count: zeros(), errors: zeros(), durationNs: zeros(), latency: [], paired: zeros(), wireNs: zeros(), wire: [] };
}

function addEdge(series: GrowingEdge, rollup: EdgeRollup, at: number): void {
  series.count[at] += rollup.count;
  series.errors[at] += rollup.errors;
  series.durationNs[at] += rollup.durationNs;
  series.paired[at] += rollup.paired;
  series.wireNs[at] += rollup.wireNs;
  series.latency[at] = rollup.latency;
  series.wire[at] = rollup.wire;
}

function isInUse({ source, target, count }: EdgeSeries): boolean {
  return source !== OTHER && target !== OTHER && count.some((each) => each > 0);
}

function named(what: string, instance: string): string {
  return instance === '' ? what : `${what} of ${instance}`;
}

function exceptionName(type: string, message: string): string {
  return message === '' ? type : `${type}: ${message}`;
}
