import { randomBytes } from 'node:crypto';
import {
  LOG_RECORD,
  METRIC,
  METRIC_DATA,
  NUMBER_POINT,
  POINT,
  SCOPE_ITEMS,
  SPAN,
} from '../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import type { Signal } from '../../../src/telemetry/signals.js';
import { OtlpWriter } from '../generator/otlp-writer.js';

/** One export request in protobuf. */
export interface Batch {
  readonly signal: Signal;
  readonly body: Buffer;
  readonly records: number;
}

/** Interval (ms) at which new batches get a new time. */
const TIME_STEP_MS = 2_000;
const DURATION_NS = 5_000_000n;
const DELTA = 1;
/** Number of metric series. */
const SERIES = 200;

/**
 * Unique export requests, generated faster than a service accepts them: copies of one template with new ids. Spans are
 * roots of separate traces, so that the number of traces equals the number of stored spans; points are increments of 1, so
 * that their sum is the number of stored points.
 */
export class Batches {
  private template: Buffer = Buffer.alloc(0);
  /** Offsets of trace ids in the template; span ids follow 18 bytes later. */
  private places: number[] = [];
  private madeAt = -Infinity;
  private made = 0;
  private readonly mark = randomBytes(8);
  private readonly beganMs = Date.now();

  constructor(
    readonly signal: Signal,
    private readonly records: number,
    private readonly service = 'load',
  ) {}

  next(): Batch {
    this.made++;
    const { signal, records } = this;
    if (signal === 'metrics') return { signal, records, body: this.write() };
    if (performance.now() - this.madeAt > TIME_STEP_MS) this.renew();
    const body = Buffer.from(this.template);
    for (const place of this.places) {
      body.writeUInt32LE(this.made, place + 12);
      body.writeUInt32LE(this.made, place + 22);
    }
    return { signal, records, body };
  }

  private renew(): void {
    this.madeAt = performance.now();
    this.template = this.write();
    this.places = [];
    for (let at = this.template.indexOf(this.mark); at >= 0; at = this.template.indexOf(this.mark, at + 1))
      this.places.push(at);
  }

  private write(): Buffer {
    const writer = new OtlpWriter();
    writer.resourceItems({ 'service.name': this.service }, () => {
      if (this.signal === 'metrics') return this.writePoints(writer);
      for (let n = 0; n < this.records; n++) {
        const message = writer.beginField(SCOPE_ITEMS.record);
        if (this.signal === 'traces') this.writeSpan(writer, n);
        else this.writeLog(writer, n);
        writer.endField(message);
      }
    });
    return writer.finish();
  }

  private writeSpan(writer: OtlpWriter, n: number): void {
    this.writeIds(writer, SPAN, n);
    const start = BigInt(Date.now()) * 1_000_000n;
    writer.writeTextField(SPAN.name, `step ${n % 20}`);
    writer.writeIntegerField(SPAN.kind, 2);
    writer.time(SPAN.start, start - DURATION_NS);
    writer.time(SPAN.end, start);
    writer.attribute(SPAN.attribute, 'app.worker', n % 10);
  }

  private writeLog(writer: OtlpWriter, n: number): void {
    this.writeIds(writer, LOG_RECORD, n);
    writer.time(LOG_RECORD.time, BigInt(Date.now()) * 1_000_000n);
    writer.writeIntegerField(LOG_RECORD.severityNumber, 9);
    const body = writer.beginField(LOG_RECORD.body);
    writer.value(`step ${n % 20} is done`);
    writer.endField(body);
  }

  private writeIds(
    writer: OtlpWriter,
    { traceId, spanId }: { readonly traceId: number; readonly spanId: number },
    n: number,
  ): void {
    const number = Buffer.alloc(8);
    number.writeUInt32LE(n);
    writer.writeBytesField(traceId, Buffer.concat([this.mark, number]));
    writer.writeBytesField(spanId, Buffer.concat([number.subarray(0, 4), Buffer.alloc(4)]));
  }

  /** A point is identified by series and time: each round over all series is 1 ms before the previous one. */
  private writePoints(writer: OtlpWriter): void {
    const rounds = Math.ceil(this.records / SERIES);
    const metric = writer.beginField(SCOPE_ITEMS.record);
    writer.writeTextField(METRIC.name, POINTS_METRIC);
    writer.writeTextField(METRIC.unit, '1');
    const sum = writer.beginField(METRIC.sum);
    for (let n = 0; n < this.records; n++) {
      const point = writer.beginField(METRIC_DATA.point);
      writer.time(POINT.time, BigInt(this.beganMs - this.made * rounds - Math.floor(n / SERIES)) * 1_000_000n);
      writer.time(NUMBER_POINT.int, 1n);
      writer.attribute(NUMBER_POINT.attribute, 'worker', n % SERIES);
      writer.endField(point);
    }
    writer.writeIntegerField(METRIC_DATA.temporality, DELTA);
    writer.writeIntegerField(METRIC_DATA.monotonic, 1);
    writer.endField(sum);
    writer.endField(metric);
  }
}

export const POINTS_METRIC = 'load.steps';
