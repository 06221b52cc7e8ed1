import type { SpanKind } from '../../telemetry/span-kind.js';
import type { DiagnosticsInput } from '../diagnostics-input.js';
import { classifyResource, matchConventions } from '../pressure/resource-conventions.js';
import { readResources } from '../pressure/resource-readings.js';
import {
  OTHER_NAME,
  type EdgeRollup,
  type LogRollup,
  type MetricRollup,
  type ServiceRollup,
  type ServiceTotals,
  type TimeBucket,
} from '../rollups/rollup-types.js';
import type { Sketch } from '../rollups/sketch.js';
import {
  createNameIndex,
  flattenOperations,
  type LayoutOperation,
  type NameIndex,
  type OperationLayout,
} from './operation-layout.js';
import type {
  CallSeries,
  EdgeSeries,
  InstanceSeries,
  LevelSeries,
  NamedCounts,
  OperationSeries,
  SeriesTimeline,
  ServiceSeries,
  TelemetrySeries,
} from './telemetry-series.js';

export function buildTelemetrySeries(
  input: Pick<DiagnosticsInput, 'grids' | 'services' | 'logs' | 'metrics'>,
  timeline: SeriesTimeline,
): TelemetrySeries {
  const zeros = createZeroRows(timeline.starts.length);
  const services = createNameIndex((name) => new ServiceSeriesBuilder(name, zeros));
  const edges = createNameIndex((source) =>
    createNameIndex((target) => [true, false].map((virtual) => createEdgeSeries(source, target, virtual, zeros))),
  );
  // One service after the other: its rows are in the processor's cache while its stretches are written.
  const byService = createNameIndex((): [at: number, rollup: ServiceRollup][] => []);
  for (const [at, rollup] of iterateWithIndex(input.services, timeline))
    byService.getOrCreate(rollup.service).push([at, rollup]);
  for (const own of byService.entries)
    for (const [at, rollup] of own) services.getOrCreate(rollup.service).addSpans(rollup, at);
  for (const [at, rollup] of iterateWithIndex(input.grids, timeline)) {
    for (const totals of rollup.services) services.getOrCreate(totals.service).addTotals(totals, at);
    for (const edge of rollup.edges)
      addEdge(edges.getOrCreate(edge.source).getOrCreate(edge.target)[edge.virtual ? 0 : 1], edge, at);
  }
  for (const [at, rollup] of iterateWithIndex(input.logs, timeline))
    services.getOrCreate(rollup.service).addLogs(rollup, at);
  for (const [at, rollup, minutes] of iterateWithIndex(input.metrics, timeline))
    services.getOrCreate(rollup.service).addMetrics(rollup, at, minutes);
  return {
    timeline,
    services: services.entries.filter(({ service }) => service !== OTHER_NAME),
    edges: edges.entries.flatMap((targets) => targets.entries.flat()).filter(isInUse),
  };
}

/** Makes a row of zeros, one figure a stretch. */
type ZeroRowFactory = () => Float64Array;

/** Rows share their memory: thousands of small buffers would cost more than what is in them. */
const ROWS_PER_BUFFER = 512;

function createZeroRows(width: number): ZeroRowFactory {
  let buffer = new ArrayBuffer(0);
  let used = 0;
  return () => {
    if ((used + width) * Float64Array.BYTES_PER_ELEMENT > buffer.byteLength)
      [buffer, used] = [new ArrayBuffer(ROWS_PER_BUFFER * width * Float64Array.BYTES_PER_ELEMENT), 0];
    used += width;
    return new Float64Array(buffer, (used - width) * Float64Array.BYTES_PER_ELEMENT, width);
  };
}

function* iterateWithIndex<T>(
  items: readonly TimeBucket<T>[],
  timeline: SeriesTimeline,
): Generator<readonly [at: number, value: T, minutes: number]> {
  for (const { minute, minutes, value } of items) {
    const at = timeline.indexOf(minute);
    if (at !== undefined) yield [at, value, minutes];
  }
}

class ServiceSeriesBuilder implements ServiceSeries {
  readonly requests = this.zeros();
  readonly errors = this.zeros();
  readonly durationNs = this.zeros();
  readonly spans = this.zeros();
  readonly records = this.zeros();
  readonly operations: OperationSeriesBuilder[] = [];
  private readonly rollups: (ServiceRollup | undefined)[] = [];
  private readonly rows = new Map<OperationLayout, readonly Float64Array[]>();
  private readonly operationRoster = createNameIndex((): OperationSeriesBuilder[] => []);
  private readonly templateRoster = this.counts();
  private readonly exceptionRoster = this.counts();
  private readonly versionRoster = this.counts();
  private readonly instanceRoster = createNameIndex((instance): InstanceSeries => ({
    instance,
    requests: this.zeros(),
    errors: this.zeros(),
    durationNs: this.zeros(),
  }));
  private readonly levelRoster = createNameIndex((): LevelSeriesBuilder[] => []);
  readonly templates = this.templateRoster.entries;
  readonly exceptions = this.exceptionRoster.entries;
  readonly versions = this.versionRoster.entries;
  readonly instances = this.instanceRoster.entries;
  readonly levels: LevelSeries[] = [];

  constructor(
    readonly service: string,
    private readonly zeros: ZeroRowFactory,
  ) {}

  addSpans(rollup: ServiceRollup, at: number): void {
    const { exceptions, versions, instances } = rollup;
    this.rollups[at] = rollup;
    const { shape, figures } = flattenOperations(rollup);
    const rows = this.rowsFor(shape);
    for (let i = 0; i < figures.length; i++) rows[i][at] += figures[i];
    for (const { type, message, count } of exceptions)
      this.exceptionRoster.getOrCreate(exceptionName(type, message)).count[at] += count;
    for (const { version, spans } of versions) this.versionRoster.getOrCreate(version).count[at] += spans;
    for (const { instance, requests, errors, durationNs } of instances) {
      const series = this.instanceRoster.getOrCreate(instance);
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
      const series = this.templateRoster.getOrCreate(template);
      series.count[at] += count;
      series.severity = Math.max(series.severity, severity);
      this.records[at] += count;
    }
    for (const { type, message, count } of exceptions)
      this.exceptionRoster.getOrCreate(exceptionName(type, message)).count[at] += count;
  }

  /** Resources whose capacity conventions tell, and others that go by a telling name. */
  addMetrics(rollup: MetricRollup, at: number, minutes: number): void {
    for (const { key, type, resource, instance, utilization, capacity, queueDepth } of readResources(rollup)) {
      if (capacity > 0 || utilization > 0)
        this.level(key, `use of ${type}`, labelWithInstance(resource, instance), '%').add(at, utilization, 1);
      if (queueDepth > 0 || capacity === 0)
        this.level(
          `${key} waiting`,
          `queue of ${type}`,
          `${labelWithInstance(resource, instance)} waited for`,
          'requests',
        ).add(at, queueDepth, 1);
    }
    for (const { metric, unit, kind, monotonic, instance, attributes, sum, count } of rollup.series) {
      if (classifyResource(metric) === undefined || matchConventions(metric).length > 0) continue;
      const key = `${metric} ${instance} ${attributes.join(' ')}`;
      this.level(key, metric, labelWithInstance(metric, instance), unit).add(
        at,
        sum,
        monotonic && kind === 'sum' ? minutes : count,
      );
    }
  }

  /** Where the figures of a shape belong, in its order. */
  private rowsFor(shape: OperationLayout): readonly Float64Array[] {
    const known = this.rows.get(shape);
    if (known !== undefined) return known;
    const rows = shape.operations.flatMap((each) => this.operation(each).rowsFor(each.calls));
    this.rows.set(shape, rows);
    return rows;
  }

  private operation({ operation, kind, entry }: LayoutOperation): OperationSeriesBuilder {
    const variants = this.operationRoster.getOrCreate(operation);
    for (const variant of variants) if (variant.kind === kind && variant.entry === entry) return variant;
    const added = new OperationSeriesBuilder(operation, kind, entry, this.zeros, this.rollups);
    variants.push(added);
    this.operations.push(added);
    return added;
  }

  private level(key: string, name: string, label: string, unit: string): LevelSeriesBuilder {
    const same = this.levelRoster.getOrCreate(key);
    if (same.length === 0) {
      same.push(new LevelSeriesBuilder(name, label, unit, this.zeros));
      this.levels.push(same[0]);
    }
    return same[0];
  }

  private counts(): NameIndex<NamedCounts> {
    return createNameIndex((name) => ({ name, count: this.zeros(), severity: 0 }));
  }
}

class LevelSeriesBuilder implements LevelSeries {
  readonly sum: Float64Array;
  readonly weight: Float64Array;

  constructor(
    readonly name: string,
    readonly label: string,
    readonly unit: string,
    zeros: ZeroRowFactory,
  ) {
    this.sum = zeros();
    this.weight = zeros();
  }

  add(at: number, sum: number, weight: number): void {
    this.sum[at] += sum;
    this.weight[at] += weight;
  }
}

class OperationSeriesBuilder implements OperationSeries {
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
    private readonly zeros: ZeroRowFactory,
    private readonly rollups: readonly (ServiceRollup | undefined)[],
  ) {}

  readonly self = (): readonly (Sketch | undefined)[] => {
    this.sketches ??= this.rollups.map(
      (rollup) =>
        rollup?.operations.find(
          ({ operation, kind, entry }) => operation === this.operation && kind === this.kind && entry === this.entry,
        )?.self,
    );
    return this.sketches;
  };

  rowsFor(calls: LayoutOperation['calls']): Float64Array[] {
    return [
      this.count,
      this.durationNs,
      this.selfNs,
      this.originErrors,
      ...calls.map(([service, operation]) => this.call(service, operation).count),
    ];
  }

  private call(service: string, operation: string): CallSeries {
    const known = this.calls.find((call) => call.operation === operation && call.service === service);
    if (known !== undefined) return known;
    const added = { service, operation, count: this.zeros() };
    this.calls.push(added);
    return added;
  }
}

interface MutableEdgeSeries extends EdgeSeries {
  readonly latency: (Sketch | undefined)[];
  readonly wire: (Sketch | undefined)[];
}

function createEdgeSeries(source: string, target: string, virtual: boolean, zeros: ZeroRowFactory): MutableEdgeSeries {
  return {
    source,
    target,
    virtual,
    count: zeros(),
    errors: zeros(),
    durationNs: zeros(),
    latency: [],
    paired: zeros(),
    wireNs: zeros(),
    wire: [],
  };
}

function addEdge(series: MutableEdgeSeries, rollup: EdgeRollup, at: number): void {
  series.count[at] += rollup.count;
  series.errors[at] += rollup.errors;
  series.durationNs[at] += rollup.durationNs;
  series.paired[at] += rollup.paired;
  series.wireNs[at] += rollup.wireNs;
  series.latency[at] = rollup.latency;
  series.wire[at] = rollup.wire;
}

function isInUse({ source, target, count }: EdgeSeries): boolean {
  return source !== OTHER_NAME && target !== OTHER_NAME && count.some((each) => each > 0);
}

function labelWithInstance(what: string, instance: string): string {
  return instance === '' ? what : `${what} of ${instance}`;
}

function exceptionName(type: string, message: string): string {
  return message === '' ? type : `${type}: ${message}`;
}
