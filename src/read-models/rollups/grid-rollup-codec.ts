import type { EdgeRollup, GridRollup, ServiceTotals } from '../../diagnostics/rollups/rollup-types.js';
import {
  decodeRollupBlob,
  decodeRollupPrefix,
  encodeRollupBlob,
  readMeasures,
  writeMeasures,
  readSketch,
  type SpanRollupFormats,
  writeSketch,
} from './rollup-blob-codec.js';
import type { ByteReader, ByteWriter, Intern } from './byte-codec.js';
import { byText, sortIfNeeded } from './sorted-lists.js';

const FORMAT: SpanRollupFormats = { current: 7, withVarintSketches: 1 };
const byEnds = (a: EdgeRollup, b: EdgeRollup): number =>
  byText(a.source, b.source) || byText(a.target, b.target) || Number(a.virtual) - Number(b.virtual);

/** Equal rollups result in equal bytes, whatever the order of their lists. */
export function encodeGridRollup({ services, edges }: GridRollup): Uint8Array {
  return encodeRollupBlob(FORMAT.current, (writer) => {
    writer.list(
      sortIfNeeded(services, (a, b) => byText(a.service, b.service)),
      (totals) => writeTotals(writer, totals),
    );
    writer.list(sortIfNeeded(edges, byEnds), (edge) => writeEdge(writer, edge));
  });
}

export function decodeGridRollup(bytes: Uint8Array, intern?: Intern): GridRollup {
  const read = (reader: ByteReader): GridRollup => ({
    services: reader.list(() => readTotals(reader)),
    edges: reader.list(() => readEdge(reader)),
  });
  return decodeRollupBlob(FORMAT, bytes, read, intern);
}

/** Decodes the part before the edges. */
export function decodeServiceTotals(bytes: Uint8Array): Pick<GridRollup, 'services'> {
  return decodeRollupPrefix(FORMAT, bytes, (reader) => ({ services: reader.list(() => readTotals(reader)) }));
}

function writeTotals(writer: ByteWriter, totals: ServiceTotals): void {
  writer.text(totals.service);
  writeMeasures(writer, totals);
  for (const count of totals.kinds) writer.varint(count);
  for (const count of totals.entryKinds) writer.varint(count);
}

function readTotals(reader: ByteReader): ServiceTotals {
  const service = reader.text();
  const { count, errors, durationNs, satisfied, tolerating, latency } = readMeasures(reader);
  return {
    service,
    count,
    errors,
    durationNs,
    satisfied,
    tolerating,
    latency,
    kinds: readKinds(reader),
    entryKinds: readKinds(reader),
  };
}

function readKinds(reader: ByteReader): [number, number, number, number, number] {
  return [reader.varint(), reader.varint(), reader.varint(), reader.varint(), reader.varint()];
}

function writeEdge(
  writer: ByteWriter,
  { source, target, virtual, count, errors, durationNs, latency, paired, wireNs, wire }: EdgeRollup,
): void {
  writer.text(source);
  writer.text(target);
  writer.byte(Number(virtual));
  for (const value of [count, errors]) writer.varint(value);
  writer.sum(durationNs);
  writeSketch(writer, latency);
  writer.varint(paired);
  writer.sum(wireNs);
  writeSketch(writer, wire);
}

function readEdge(reader: ByteReader): EdgeRollup {
  return {
    source: reader.text(),
    target: reader.text(),
    virtual: reader.byte() === 1,
    count: reader.varint(),
    errors: reader.varint(),
    durationNs: reader.varint(),
    latency: readSketch(reader),
    paired: reader.varint(),
    wireNs: reader.varint(),
    wire: readSketch(reader),
  };
}
