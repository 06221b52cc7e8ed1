import type { SpanKind } from '../../telemetry/span-kind.js';
import { matchConventions } from '../pressure/convention-matching.js';
import { classifyResource } from '../pressure/resource-classification.js';
import { readResources } from '../pressure/resource-readings.js';
import { classifyReportedMeasure } from '../requests/reported-measures.js';
import type {
  LogRollup,
  MetricRollup,
  MetricSeriesRollup,
  ServiceRollup,
  ServiceTotals,
} from '../rollups/rollup-types.js';
import type { Sketch } from '../rollups/sketch.js';
import { joinSketches } from './sketch-joining.js';
import {
  createNameIndex,
  flattenOperations,
  type LayoutOperation,
  type NameIndex,
  type OperationLayout,
} from './operation-layout.js';
import type {
  CallSeries,
  InstanceSeries,
  LevelSeries,
  NamedCounts,
  OperationSeries,
  ReportedSeries,
  ServiceSeries,
} from './telemetry-series.js';

/** Creates a row of zeros with one figure per bucket. */
export type ZeroRowFactory = () => Float64Array;

/** Collects the series of one service from its rollups; `at` is the index of a rollup's bucket in the timeline. */
export class ServiceSeriesBuilder implements ServiceSeries {
  readonly requests = this.createRow();
  readonly errors = this.createRow();
  readonly durationNs = this.createRow();
  readonly spans = this.createRow();
  readonly records = this.createRow();
  readonly operations: OperationSeriesBuilder[] = [];
  private readonly rollups: ServiceRollup[][] = [];
  private readonly rows = new Map<OperationLayout, readonly Float64Array[]>();
  private readonly operationIndex = createNameIndex((): OperationSeriesBuilder[] => []);
  private readonly templateIndex = this.createCountsIndex();
  private readonly exceptionIndex = this.createCountsIndex();
  private readonly versionIndex = this.createCountsIndex();
  private readonly instanceIndex = createNameIndex((instance): InstanceSeries => ({
    instance,
    requests: this.createRow(),
    errors: this.createRow(),
    durationNs: this.createRow(),
  }));
  private readonly levelIndex = createNameIndex((): LevelSeriesBuilder[] => []);
  private readonly reportedIndex = createNameIndex((): LevelSeriesBuilder[] => []);
  readonly templates = this.templateIndex.entries;
  readonly exceptions = this.exceptionIndex.entries;
  readonly versions = this.versionIndex.entries;
  readonly instances = this.instanceIndex.entries;
  readonly levels: LevelSeries[] = [];
  readonly reported: ReportedSeries[] = [];
  hasEstimates = false;

  constructor(
    readonly service: string,
    private readonly createRow: ZeroRowFactory,
  ) {}

  addSpans(rollup: ServiceRollup, at: number): void {
    const { exceptions, versions, instances } = rollup;
    (this.rollups[at] ??= []).push(rollup);
    this.hasEstimates ||= rollup.isEstimated === true;
    const { layout, figures } = flattenOperations(rollup);
    const rows = this.rowsFor(layout);
    for (let i = 0; i < figures.length; i++) rows[i][at] += figures[i];
    for (const { type, message, count } of exceptions)
      this.exceptionIndex.getOrCreate(exceptionName(type, message)).count[at] += count;
    for (const { version, spans } of versions) this.versionIndex.getOrCreate(version).count[at] += spans;
    for (const { instance, requests, errors, durationNs } of instances) {
      const series = this.instanceIndex.getOrCreate(instance);
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
      const series = this.templateIndex.getOrCreate(template);
      series.count[at] += count;
      series.severity = Math.max(series.severity, severity);
      this.records[at] += count;
    }
    for (const { type, message, count } of exceptions)
      this.exceptionIndex.getOrCreate(exceptionName(type, message)).count[at] += count;
  }

  /** Resources with a known metric convention, and others recognised by their metric name. */
  addMetrics(rollup: MetricRollup, at: number, minutes: number): void {
    for (const { key, type, resource, instance, utilization, capacity, queueDepth } of readResources(rollup)) {
      if (capacity > 0 || utilization > 0)
        this.getOrCreateLevel(key, `use of ${type}`, labelWithInstance(resource, instance), '%').add(
          at,
          utilization,
          1,
        );
      if (queueDepth > 0 || capacity === 0)
        this.getOrCreateLevel(
          `${key} waiting`,
          `queue of ${type}`,
          `Requests waiting for ${labelWithInstance(resource, instance)}`,
          '',
        ).add(at, queueDepth, 1);
    }
    for (const { metric, unit, kind, monotonic, instance, attributes, sum, count } of rollup.series) {
      const weight = monotonic && kind === 'sum' ? minutes : count;
      const measure = classifyReportedMeasure(metric, unit, attributes);
      if (measure !== undefined) {
        this.addReported(measure, { metric, unit, instance, attributes, sum, weight }, at);
        continue;
      }
      if (classifyResource(metric) === undefined || matchConventions(metric).length > 0) continue;
      const key = `${metric} ${instance} ${attributes.join(' ')}`;
      this.getOrCreateLevel(key, metric, labelWithInstance(metric, instance), unit).add(at, sum, weight);
    }
  }

  /** A latency of nothing is that of no requests. */
  private addReported(
    measure: ReportedSeries['measure'],
    { metric, unit, instance, attributes, sum, weight }: ReportedFigure,
    at: number,
  ): void {
    if (!(weight > 0) || Number.isNaN(sum) || (sum === 0 && measure.endsWith('latency'))) return;
    const key = `${metric} ${instance} ${attributes.join(' ')}`;
    const same = this.reportedIndex.getOrCreate(key);
    if (same.length === 0) {
      const series = new LevelSeriesBuilder(metric, labelWithInstance(metric, instance), unit, this.createRow);
      same.push(series);
      this.reported.push(Object.assign(series, { measure }));
    }
    same[0].add(at, sum, weight);
  }

  /** The rows for the figures of a layout, in its order. Cached. */
  private rowsFor(layout: OperationLayout): readonly Float64Array[] {
    const known = this.rows.get(layout);
    if (known !== undefined) return known;
    const rows = layout.operations.flatMap((each) => this.getOrCreateOperation(each).rowsFor(each.calls));
    this.rows.set(layout, rows);
    return rows;
  }

  private getOrCreateOperation({ operation, kind, entry }: LayoutOperation): OperationSeriesBuilder {
    const variants = this.operationIndex.getOrCreate(operation);
    for (const variant of variants) if (variant.kind === kind && variant.entry === entry) return variant;
    const added = new OperationSeriesBuilder(operation, kind, entry, this.createRow, this.rollups);
    variants.push(added);
    this.operations.push(added);
    return added;
  }

  private getOrCreateLevel(key: string, name: string, label: string, unit: string): LevelSeriesBuilder {
    const same = this.levelIndex.getOrCreate(key);
    if (same.length === 0) {
      same.push(new LevelSeriesBuilder(name, label, unit, this.createRow));
      this.levels.push(same[0]);
    }
    return same[0];
  }

  private createCountsIndex(): NameIndex<NamedCounts> {
    return createNameIndex((name) => ({ name, count: this.createRow(), severity: 0 }));
  }
}

type ReportedFigure = Pick<MetricSeriesRollup, 'metric' | 'unit' | 'instance' | 'attributes' | 'sum'> & {
  readonly weight: number;
};

class LevelSeriesBuilder implements LevelSeries {
  readonly sum: Float64Array;
  readonly weight: Float64Array;

  constructor(
    readonly name: string,
    readonly label: string,
    readonly unit: string,
    createRow: ZeroRowFactory,
  ) {
    this.sum = createRow();
    this.weight = createRow();
  }

  add(at: number, sum: number, weight: number): void {
    this.sum[at] += sum;
    this.weight[at] += weight;
  }
}

class OperationSeriesBuilder implements OperationSeries {
  readonly count = this.createRow();
  readonly durationNs = this.createRow();
  readonly selfNs = this.createRow();
  private sketches: (Sketch | undefined)[] | undefined;
  readonly originErrors = this.createRow();
  readonly calls: CallSeries[] = [];

  constructor(
    readonly operation: string,
    readonly kind: SpanKind,
    readonly entry: boolean,
    private readonly createRow: ZeroRowFactory,
    private readonly rollups: readonly (readonly ServiceRollup[] | undefined)[],
  ) {}

  readonly self = (): readonly (Sketch | undefined)[] => {
    this.sketches ??= this.rollups.map((rollups) =>
      (rollups ?? [])
        .map(
          ({ operations }) =>
            operations.find(
              ({ operation, kind, entry }) =>
                operation === this.operation && kind === this.kind && entry === this.entry,
            )?.self,
        )
        .reduce(joinSketches, undefined),
    );
    return this.sketches;
  };

  rowsFor(calls: LayoutOperation['calls']): Float64Array[] {
    return [
      this.count,
      this.durationNs,
      this.selfNs,
      this.originErrors,
      ...calls.map(([service, operation]) => this.getOrCreateCall(service, operation).count),
    ];
  }

  private getOrCreateCall(service: string, operation: string): CallSeries {
    const known = this.calls.find((call) => call.operation === operation && call.service === service);
    if (known !== undefined) return known;
    const added = { service, operation, count: this.createRow() };
    this.calls.push(added);
    return added;
  }
}

function labelWithInstance(name: string, instance: string): string {
  return instance === '' ? name : `${name} of ${instance}`;
}

function exceptionName(type: string, message: string): string {
  return message === '' ? type : `${type}: ${message}`;
}
