import { TooManyRecords, MAX_RECORDS } from '../otlp/validation/record-rejections.js';
import { MalformedBody, WireReader } from '../otlp/wire/wire-reader.js';
import { OversizedMessage } from '../otlp/wire/wire-writer.js';
import { readNativeHistogram } from './native-histogram-reader.js';
import {
  type Label,
  type NativeHistogram,
  PROMETHEUS_TYPES,
  type PrometheusExemplar,
  type PrometheusMetadata,
  type PrometheusSample,
  type PrometheusSeries,
  type RemoteWriteFormat,
} from './remote-write.js';
import { InlineLabelReader, type LabelReader, SymbolLabelReader } from './remote-write-labels.js';
import { readMessages } from '../otlp/wire/wire-messages.js';
import { readInt64, readValue } from './remote-write-values.js';
import { SymbolTable } from './symbol-table.js';

/** Tags of the fields in which the messages differ. Tag 0 does not exist. */
interface RemoteWriteLayout {
  readonly series: number;
  readonly samples: number;
  readonly histograms: number;
  readonly exemplars: number;
  /** Of a series. */
  readonly metadata: number;
  readonly created: number;
  /** Fields of the other version's message at the top level, by which a false Content-Type is recognised. */
  readonly foreign: ReadonlySet<number>;
}

/** prompb/types.proto and remote.proto. */
const LAYOUT_1: RemoteWriteLayout = {
  series: 0x0a,
  samples: 0x12,
  exemplars: 0x1a,
  histograms: 0x22,
  metadata: 0,
  created: 0,
  foreign: new Set([0x22, 0x2a]),
};
/** io/prometheus/write/v2/types.proto. */
const LAYOUT_2: RemoteWriteLayout = {
  series: 0x2a,
  samples: 0x12,
  histograms: 0x1a,
  exemplars: 0x22,
  metadata: 0x2a,
  created: 0x30,
  foreign: new Set([0x0a, 0x1a]),
};
const SYMBOLS = 0x22;
const SAMPLE = { value: 0x09, timestamp: 0x10, start: 0x18 } as const;
/** Behind its labels, which differ. */
const EXEMPLAR = { value: 0x11, timestamp: 0x18 } as const;
const METADATA = { type: 0x08, help: 0x18, unit: 0x20 } as const;

/** More series than any sender puts into a request; each costs many times as much as a sample. */
const MAX_SERIES = 100_000;

/** What the series of a request share. */
interface SeriesContext {
  readonly reader: WireReader;
  readonly layout: RemoteWriteLayout;
  readonly labels: LabelReader;
  readonly symbols: SymbolTable | undefined;
}

/**
 * Reads a request series by series, and the values of a series when they are visited, so that memory does not grow with the
 * body. Throws MalformedBody if it does not parse, TooManyRecords if it has more values than a request may have, and
 * OversizedMessage past MAX_SERIES.
 */
export class RemoteWriteReader {
  private readonly context: SeriesContext;

  constructor(
    private readonly format: RemoteWriteFormat,
    private readonly body: Uint8Array,
  ) {
    this.context = createContext(format, body);
  }

  visitSeries(visit: (series: PrometheusSeries) => void): void {
    const { context, body } = this;
    let records = 0;
    this.visitMessages((end, index) => {
      const series = new SeriesCursor(context, end, index);
      records += series.values;
      if (records > MAX_RECORDS) throw new TooManyRecords();
      visit(series);
      context.reader.pos = end;
    }, body);
  }

  /** Like visitSeries, for those with exemplars; of the others no labels are read. */
  visitExemplarSeries(visit: (series: PrometheusSeries) => void): void {
    const { reader, layout } = this.context;
    this.visitMessages((end, index) => {
      const from = reader.pos;
      for (const _exemplar of readMessages(reader, layout.exemplars, end)) {
        reader.pos = from;
        visit(new SeriesCursor(this.context, end, index));
        break;
      }
      reader.pos = end;
    }, this.body);
  }

  private visitMessages(visit: (end: number, index: number) => void, body: Uint8Array): void {
    const { reader, layout } = this.context;
    reader.pos = 0;
    for (let index = 0; reader.pos < body.length;) {
      const tag = reader.readTag(body.length);
      if (layout.foreign.has(tag)) throw new MalformedBody(describeForeignMessage(this.format));
      if (tag !== layout.series) reader.skip(tag, body.length);
      else {
        if (index === MAX_SERIES) throw new OversizedMessage(`more than ${MAX_SERIES} series`);
        visit(reader.readPayloadEnd(body.length), index++);
      }
    }
  }
}

function createContext(format: RemoteWriteFormat, body: Uint8Array): SeriesContext {
  const reader = new WireReader(body);
  if (format === 'remote-write-1')
    return { reader, layout: LAYOUT_1, labels: new InlineLabelReader(), symbols: undefined };
  const symbols = new SymbolTable(body, SYMBOLS);
  return { reader, layout: LAYOUT_2, labels: new SymbolLabelReader(symbols), symbols };
}

function describeForeignMessage(format: RemoteWriteFormat): string {
  return format === 'remote-write-1'
    ? 'it is a message of remote write 2.0, whose Content-Type is application/x-protobuf;proto=io.prometheus.write.v2.Request'
    : 'it is a message of remote write 1.0, whose Content-Type is application/x-protobuf';
}

/** A series whose values remain in the body. */
class SeriesCursor implements PrometheusSeries {
  readonly labels: readonly Label[];
  readonly fault: string | undefined;
  metadata: PrometheusMetadata | undefined;
  createdMs = 0n;
  private readonly from: number;
  private samples = 0;
  private histograms = 0;
  private exemplars = 0;

  /** Reads everything but the values, which are counted. */
  constructor(
    private readonly context: SeriesContext,
    private readonly end: number,
    readonly index: number,
  ) {
    const { reader, labels } = context;
    this.from = reader.pos;
    labels.begin();
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (!labels.readField(reader, tag, end)) this.readField(tag);
    }
    const { labels: pairs, fault } = labels.finish();
    this.labels = pairs;
    this.fault = fault;
  }

  get values(): number {
    return this.samples + this.histograms;
  }

  visitSamples(visit: (sample: PrometheusSample) => void): void {
    if (this.samples > 0)
      this.visitEach(this.context.layout.samples, (end) => visit(readSample(this.context.reader, end)));
  }

  visitHistograms(visit: (histogram: NativeHistogram) => void): void {
    const { layout, reader } = this.context;
    if (this.histograms > 0) this.visitEach(layout.histograms, (end) => visit(readNativeHistogram(reader, end)));
  }

  visitExemplars(visit: (exemplar: PrometheusExemplar) => void): void {
    if (this.exemplars > 0)
      this.visitEach(this.context.layout.exemplars, (end) => visit(readExemplar(this.context, end)));
  }

  private readField(tag: number): void {
    const { end } = this;
    const { reader, layout, symbols } = this.context;
    if (symbols !== undefined && tag === layout.metadata)
      this.metadata = readSymbolMetadata(reader, reader.readPayloadEnd(end), symbols);
    else if (tag === layout.created) this.createdMs = readInt64(reader, end);
    else {
      if (tag === layout.samples) this.samples++;
      else if (tag === layout.histograms) this.histograms++;
      else if (tag === layout.exemplars) this.exemplars++;
      reader.skip(tag, end);
    }
  }

  private visitEach(wanted: number, visit: (end: number) => void): void {
    const { reader } = this.context;
    reader.pos = this.from;
    while (reader.pos < this.end) {
      const tag = reader.readTag(this.end);
      if (tag !== wanted) reader.skip(tag, this.end);
      else {
        const end = reader.readPayloadEnd(this.end);
        visit(end);
        reader.pos = end;
      }
    }
  }
}

function readSample(reader: WireReader, end: number): PrometheusSample {
  let [value, isStale, timestampMs, startMs] = [0, false, 0n, 0n];
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === SAMPLE.value) ({ value, isStale } = readValue(reader, end));
    else if (tag === SAMPLE.timestamp) timestampMs = readInt64(reader, end);
    else if (tag === SAMPLE.start) startMs = readInt64(reader, end);
    else reader.skip(tag, end);
  }
  return { value, isStale, timestampMs, startMs };
}

function readExemplar({ reader, labels }: SeriesContext, end: number): PrometheusExemplar {
  let [value, timestampMs] = [0, 0n];
  labels.begin();
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === EXEMPLAR.value) value = reader.readDouble(end);
    else if (tag === EXEMPLAR.timestamp) timestampMs = readInt64(reader, end);
    else if (!labels.readField(reader, tag, end)) reader.skip(tag, end);
  }
  const { labels: pairs, fault } = labels.finish();
  return { labels: fault === undefined ? pairs : [], value, timestampMs };
}

function readSymbolMetadata(reader: WireReader, end: number, symbols: SymbolTable): PrometheusMetadata {
  let [type, help, unit] = [0, 0, 0];
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === METADATA.type) type = reader.readVarint(end);
    else if (tag === METADATA.help) help = reader.readVarint(end);
    else if (tag === METADATA.unit) unit = reader.readVarint(end);
    else reader.skip(tag, end);
  }
  return {
    type: PROMETHEUS_TYPES.at(type) ?? 'unknown',
    help: symbols.find(help) ?? '',
    unit: symbols.find(unit) ?? '',
  };
}
