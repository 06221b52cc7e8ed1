/** Encodes requests of Prometheus remote write by their .proto files, apart from the code under test. */

export type Labels = Readonly<Record<string, string>>;

export interface SeriesModel {
  readonly labels: Labels;
  readonly samples?: readonly { readonly value: number | 'stale'; readonly ms: number }[];
  readonly histograms?: readonly HistogramModel[];
  readonly exemplars?: readonly { readonly labels: Labels; readonly value: number; readonly ms: number }[];
  /** Version 2 only. */
  readonly type?: number;
  readonly unit?: string;
  readonly help?: string;
  readonly createdMs?: number;
}

export interface SideModel {
  readonly spans: readonly (readonly [offset: number, length: number])[];
  readonly deltas?: readonly number[];
  readonly counts?: readonly number[];
}

export interface HistogramModel {
  readonly ms: number;
  readonly count: number;
  readonly isFloat?: boolean;
  readonly sum: number | 'stale';
  readonly schema: number;
  readonly zeroThreshold?: number;
  readonly zeroCount?: number;
  readonly positive?: SideModel;
  readonly negative?: SideModel;
  readonly customValues?: readonly number[];
  readonly resetHint?: number;
}

export interface FamilyModel {
  readonly name: string;
  readonly type: number;
  readonly help?: string;
  readonly unit?: string;
}

export const TYPES = {
  counter: 1,
  gauge: 2,
  histogram: 3,
  gaugehistogram: 4,
  summary: 5,
  info: 6,
  stateset: 7,
} as const;

/** `prometheus.WriteRequest`, not compressed. */
export function encodeVersion1(series: readonly SeriesModel[], families: readonly FamilyModel[] = []): Buffer {
  return Buffer.concat([
    ...series.map((one) =>
      message(1, [
        ...encodeInlineLabels(one.labels),
        ...(one.samples ?? []).map((sample) => message(2, encodeSample(sample))),
        ...(one.exemplars ?? []).map(({ labels, value, ms }) =>
          message(3, [...encodeInlineLabels(labels), double(2, value), varintField(3, ms)]),
        ),
        ...(one.histograms ?? []).map((histogram) => message(4, encodeHistogram(histogram))),
      ]),
    ),
    ...families.map(({ name, type, help = '', unit = '' }) =>
      message(3, [varintField(1, type), text(2, name), text(4, help), text(5, unit)]),
    ),
  ]);
}

/** `io.prometheus.write.v2.Request`, not compressed. */
export function encodeVersion2(series: readonly SeriesModel[]): Buffer {
  const symbols = [''];
  const refer = (symbol: string): number => {
    const known = symbols.indexOf(symbol);
    return known < 0 ? symbols.push(symbol) - 1 : known;
  };
  const encodeReferences = (labels: Labels): Buffer =>
    packed(
      1,
      Object.entries(labels).flatMap(([name, value]) => [varint(refer(name)), varint(refer(value))]),
    );
  const encoded = series.map((one) =>
    message(5, [
      encodeReferences(one.labels),
      ...(one.samples ?? []).map((sample) => message(2, encodeSample(sample))),
      ...(one.histograms ?? []).map((histogram) => message(3, encodeHistogram(histogram))),
      ...(one.exemplars ?? []).map(({ labels, value, ms }) =>
        message(4, [encodeReferences(labels), double(2, value), varintField(3, ms)]),
      ),
      message(5, [
        varintField(1, one.type ?? 0),
        varintField(3, refer(one.help ?? '')),
        varintField(4, refer(one.unit ?? '')),
      ]),
      varintField(6, one.createdMs ?? 0),
    ]),
  );
  return Buffer.concat([...symbols.map((symbol) => text(4, symbol)), ...encoded]);
}

/** A block of snappy without copies: literals only. */
export function compressAsSnappyBlock(bytes: Uint8Array): Buffer {
  const parts: Uint8Array[] = [varint(bytes.length)];
  for (let at = 0; at < bytes.length; at += 60) {
    const literal = bytes.subarray(at, at + 60);
    parts.push(Uint8Array.of((literal.length - 1) << 2), literal);
  }
  return Buffer.concat(parts);
}

function encodeInlineLabels(labels: Labels): Buffer[] {
  return Object.entries(labels).map(([name, value]) => message(1, [text(1, name), text(2, value)]));
}

function encodeSample({ value, ms }: NonNullable<SeriesModel['samples']>[number]): Buffer[] {
  return [double(1, value), varintField(2, ms)];
}

function encodeHistogram(histogram: HistogramModel): Buffer[] {
  const { count, isFloat = false, sum, schema, zeroThreshold = 0, zeroCount = 0, positive, negative } = histogram;
  return [
    isFloat ? double(2, count) : varintField(1, count),
    double(3, sum),
    varintField(4, zigZag(schema)),
    double(5, zeroThreshold),
    isFloat ? double(7, zeroCount) : varintField(6, zeroCount),
    ...encodeSide(negative, 8),
    ...encodeSide(positive, 11),
    varintField(14, histogram.resetHint ?? 0),
    varintField(15, histogram.ms),
    packed(16, (histogram.customValues ?? []).map(doubleBytes)),
  ];
}

function encodeSide(side: SideModel | undefined, field: number): Buffer[] {
  if (side === undefined) return [];
  return [
    ...side.spans.map(([offset, length]) => message(field, [varintField(1, zigZag(offset)), varintField(2, length)])),
    packed(
      field + 1,
      (side.deltas ?? []).map((delta) => varint(zigZag(delta))),
    ),
    packed(field + 2, (side.counts ?? []).map(doubleBytes)),
  ];
}

const zigZag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

function doubleBytes(value: number | 'stale'): Buffer {
  const bytes = Buffer.alloc(8);
  if (value === 'stale') bytes.writeBigUInt64LE(0x7ff0_0000_0000_0002n);
  else bytes.writeDoubleLE(value);
  return bytes;
}

export const varintField = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)]);
const double = (field: number, value: number | 'stale'): Buffer =>
  Buffer.concat([varint(field * 8 + 1), doubleBytes(value)]);
export const text = (field: number, value: string): Buffer => message(field, [Buffer.from(value)]);
const packed = (field: number, values: readonly Buffer[]): Buffer =>
  values.length === 0 ? Buffer.alloc(0) : message(field, values);

export function message(field: number, parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}
