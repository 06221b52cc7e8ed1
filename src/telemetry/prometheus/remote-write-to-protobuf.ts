import { ClassicHistogramCollector, type HistogramPart, type PartSeries, toPartSeries } from './classic-histograms.js';
import { ExemplarStore, type PendingExemplars } from './exemplar-store.js';
import { findFamily, isCounterSeries, NO_FAMILIES, readMetricFamilies, toUcumUnit } from './metric-families.js';
import { type MetricHead, MetricRequestWriter, type PointTimes } from './metric-request-writer.js';
import { toHistogramForm } from './native-histogram-buckets.js';
import type {
  NativeHistogram,
  PrometheusMetadata,
  PrometheusSample,
  PrometheusSeries,
  PrometheusType,
  RemoteWriteFormat,
} from './remote-write.js';
import { RemoteWriteReader } from './remote-write-reader.js';
import { divideLabels } from './target-resource.js';
import { TranslationCounts } from './translation-counts.js';

export interface RemoteWriteTranslation {
  /** An OTLP export request of metrics. */
  readonly protobuf: Uint8Array;
  readonly counts: TranslationCounts;
}

/**
 * Translates a request of Prometheus remote write into an OTLP export request of metrics, by the reverse of OpenTelemetry's
 * mapping (specification, compatibility/prometheus_and_openmetrics.md). What a point of OTLP cannot hold is counted as not
 * translated. Throws MalformedBody, TooManyRecords, and OversizedMessage past `maxBytes` of protobuf.
 */
export function translateRemoteWriteToProtobuf(
  format: RemoteWriteFormat,
  body: Uint8Array,
  maxBytes?: number,
): RemoteWriteTranslation {
  const exemplars = new ExemplarStore();
  const reader = new RemoteWriteReader(format, body);
  reader.visitExemplarSeries((series) => {
    if (series.fault === undefined) exemplars.add(series);
  });
  const families = format === 'remote-write-1' ? readMetricFamilies(body) : NO_FAMILIES;
  const translator = new RemoteWriteTranslator(exemplars, families, maxBytes);
  reader.visitSeries((series) => translator.addSeries(series));
  return translator.finish();
}

/** A series with its labels divided. What needs its key is found once, when its first value is written. */
class TranslatedSeries {
  private pending: { readonly exemplars: PendingExemplars | undefined } | undefined;
  private classic: { readonly part: PartSeries | undefined } | undefined;

  constructor(
    readonly series: PrometheusSeries,
    readonly head: MetricHead,
    readonly type: PrometheusType,
    readonly isCounter: boolean,
    private readonly store: ExemplarStore,
  ) {}

  get exemplars(): PendingExemplars | undefined {
    return (this.pending ??= { exemplars: this.store.find(this.series.labels) }).exemplars;
  }

  /** Undefined if its values are no parts of a classic histogram. */
  get part(): PartSeries | undefined {
    return (this.classic ??= { part: toPartSeries(this, this.exemplars) }).part;
  }
}

class RemoteWriteTranslator {
  private readonly counts = new TranslationCounts();
  private readonly classic = new ClassicHistogramCollector();
  private readonly writer: MetricRequestWriter;

  constructor(
    private readonly exemplars: ExemplarStore,
    private readonly families: ReadonlyMap<string, PrometheusMetadata>,
    maxBytes: number | undefined,
  ) {
    this.writer = new MetricRequestWriter(maxBytes);
  }

  addSeries(series: PrometheusSeries): void {
    const { name, resource, attributes } = divideLabels(series.labels);
    const fault = series.fault ?? (name === '' ? 'without the label __name__' : undefined);
    if (fault !== undefined) {
      this.counts.addFault(fault, series, series.values);
      return;
    }
    const { type, help, unit } = series.metadata ?? findFamily(this.families, name);
    const head = { name, help, unit: toUcumUnit(unit), resource, attributes };
    const isCounter = isCounterSeries(type, name, series.labels);
    const target = new TranslatedSeries(series, head, type, isCounter, this.exemplars);
    series.visitSamples((sample) => this.addSample(target, sample));
    series.visitHistograms((histogram) => this.addHistogram(target, histogram));
  }

  finish(): RemoteWriteTranslation {
    this.writeClassic();
    return { protobuf: this.writer.finish(), counts: this.counts };
  }

  private addSample(target: TranslatedSeries, sample: PrometheusSample): void {
    const { series } = target;
    if (sample.isStale) return this.counts.addStale('samples');
    if (sample.timestampMs <= 0n) return this.counts.addFault(NO_TIMESTAMP, series);
    const times = this.toTimes(series, sample);
    const { value } = sample;
    if (target.part === undefined) return this.writeNumber(target, value, times);
    this.classic.add({ series: target.part, value, ...times });
    if (this.classic.isFull) this.writeClassic();
  }

  private addHistogram(target: TranslatedSeries, histogram: NativeHistogram): void {
    const { series, head } = target;
    if (histogram.isStale) return this.counts.addStale('histograms');
    if (histogram.timestampMs <= 0n) return this.counts.addFault(NO_TIMESTAMP, series);
    const form = toHistogramForm(histogram);
    if ('fault' in form) return this.counts.addFault(form.fault, series);
    const exemplars = target.exemplars?.take() ?? [];
    this.writer.writeHistogram(head, form, histogram, this.toTimes(series, histogram), exemplars);
    this.counts.addPoint({ samples: 0, histograms: 1, exemplars: exemplars.length });
  }

  private writeNumber(
    { head, isCounter, exemplars: pending }: Pick<PartSeries, 'head' | 'isCounter' | 'exemplars'>,
    value: number,
    times: PointTimes,
  ): void {
    const exemplars = pending?.take() ?? [];
    this.writer.writeNumber(head, isCounter, value, times, exemplars);
    this.counts.addPoint({ samples: 1, histograms: 0, exemplars: exemplars.length });
  }

  private writeClassic(): void {
    for (const histogram of this.classic.take()) {
      if (histogram.kind === 'incomplete') this.writeParts(histogram.parts);
      else {
        const { head, form, count, sum, times, parts } = histogram;
        const exemplars = parts.flatMap(({ series }) => series.exemplars?.take() ?? []);
        this.writer.writeHistogram(head, form, { count, sum, zeroCount: 0, zeroThreshold: 0 }, times, exemplars);
        this.counts.addPoint({ samples: parts.length, histograms: 0, exemplars: exemplars.length });
      }
    }
  }

  /**
   * Without their start: what they say since then may be in points of the histogram that came complete, and would count
   * twice.
   */
  private writeParts(parts: readonly HistogramPart[]): void {
    for (const { series, value, timestampMs } of parts) this.writeNumber(series, value, { timestampMs, startMs: 0n });
  }

  /** The start of a value is its own, else that of its series. */
  private toTimes({ createdMs }: PrometheusSeries, { timestampMs, startMs }: PointTimes): PointTimes {
    return { timestampMs, startMs: startMs > 0n ? startMs : createdMs };
  }
}

const NO_TIMESTAMP = 'without a timestamp after 1970';
