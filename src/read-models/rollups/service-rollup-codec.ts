import type {
  ChildCalls,
  InstanceRollup,
  OperationRollup,
  ServiceRollup,
  VersionRollup,
} from '../../diagnostics/rollups/rollup-types.js';
import { SPAN_KINDS } from '../../telemetry/span-kind.js';
import {
  decodeRollupBlob,
  decodeRollupPrefix,
  encodeRollupBlob,
  readExceptions,
  readMeasures,
  writeExceptions,
  writeMeasures,
  readSketch,
  type SpanRollupFormats,
  writeSketch,
} from './rollup-blob-codec.js';
import { type ByteReader, type ByteWriter, DamagedRollup, type Intern, type RepeatedText } from './byte-codec.js';
import { byText, sortIfNeeded } from './sorted-lists.js';

const FORMAT: SpanRollupFormats = { current: 6, withVarintSketches: 2 };
const kindByte = ({ kind, entry }: OperationRollup): number => SPAN_KINDS.indexOf(kind) * 2 + Number(entry);

/** Canonical orders of the lists, for callers that keep lists sorted. */
export const byOperation = (a: OperationRollup, b: OperationRollup): number =>
  byText(a.operation, b.operation) || kindByte(a) - kindByte(b);
export const byCallee = (a: ChildCalls, b: ChildCalls): number =>
  byText(a.service, b.service) || byText(a.operation, b.operation);

/** Calls whose names are shared by all operations of a rollup, so that writing them looks nothing up. */
export interface SharedNameCalls extends ChildCalls {
  readonly names: { readonly service: RepeatedText; readonly operation: RepeatedText };
}

/** Equal rollups result in equal bytes, whatever the order of their lists. */
export function encodeServiceRollup({
  service,
  operations,
  exceptions,
  versions,
  instances,
}: ServiceRollup): Uint8Array {
  return encodeRollupBlob(FORMAT.current, (writer) => {
    writer.text(service);
    writer.list(sortIfNeeded(operations, byOperation), (operation) => writeOperation(writer, operation));
    writeExceptions(writer, exceptions);
    writer.list(
      sortIfNeeded(versions, (a, b) => byText(a.version, b.version)),
      (version) => writeVersion(writer, version),
    );
    writer.list(
      sortIfNeeded(instances, (a, b) => byText(a.instance, b.instance)),
      (instance) => writeInstance(writer, instance),
    );
  });
}

export function decodeServiceRollup(bytes: Uint8Array, intern?: Intern): ServiceRollup {
  const read = (reader: ByteReader): ServiceRollup => ({
    service: reader.text(),
    operations: reader.list(() => readOperation(reader)),
    exceptions: readExceptions(reader),
    versions: reader.list(() => readVersion(reader)),
    instances: reader.list(() => readInstance(reader)),
  });
  return decodeRollupBlob(FORMAT, bytes, read, intern);
}

/** Decodes the part before exceptions, versions and instances. */
export function decodeOperations(bytes: Uint8Array): Pick<ServiceRollup, 'service' | 'operations'> {
  return decodeRollupPrefix(FORMAT, bytes, (reader) => ({
    service: reader.text(),
    operations: reader.list(() => readOperation(reader)),
  }));
}

function writeOperation(writer: ByteWriter, rollup: OperationRollup): void {
  writer.text(rollup.operation);
  writer.byte(kindByte(rollup));
  writeMeasures(writer, rollup);
  writer.sum(rollup.selfNs);
  writeSketch(writer, rollup.self);
  writer.varint(rollup.originErrors);
  writeCalls(writer, sortIfNeeded(rollup.calls, byCallee));
}

/** Tens of thousands per commit: a plain loop is faster than `list`. */
function writeCalls(writer: ByteWriter, calls: readonly (ChildCalls | SharedNameCalls)[]): void {
  writer.varint(calls.length);
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i];
    if ('names' in call) {
      writer.repeatedText(call.names.service);
      writer.repeatedText(call.names.operation);
    } else {
      writer.text(call.service);
      writer.text(call.operation);
    }
    writer.varint(call.count);
  }
}

function readOperation(reader: ByteReader): OperationRollup {
  const operation = reader.text();
  const kindAndEntry = reader.byte();
  const kind = SPAN_KINDS.at(kindAndEntry >> 1);
  if (kind === undefined) throw new DamagedRollup(`rollup has a span kind ${kindAndEntry >> 1}`);
  const { count, errors, durationNs, satisfied, tolerating, latency } = readMeasures(reader);
  const [selfNs, self, originErrors] = [reader.varint(), readSketch(reader), reader.varint()];
  const calls = reader.list(() => ({ service: reader.text(), operation: reader.text(), count: reader.varint() }));
  return {
    operation,
    kind,
    entry: (kindAndEntry & 1) === 1,
    count,
    errors,
    durationNs,
    satisfied,
    tolerating,
    latency,
    selfNs,
    self,
    originErrors,
    calls,
  };
}

function writeVersion(writer: ByteWriter, { version, spans, firstUs, lastUs }: VersionRollup): void {
  writer.text(version);
  writer.varint(spans);
  writer.signed(firstUs);
  writer.signed(lastUs - firstUs);
}

function readVersion(reader: ByteReader): VersionRollup {
  const [version, spans, firstUs] = [reader.text(), reader.varint(), reader.signed()];
  return { version, spans, firstUs, lastUs: firstUs + reader.signed() };
}

function writeInstance(
  writer: ByteWriter,
  { instance, spans, requests, errors, durationNs, firstUs, lastUs }: InstanceRollup,
): void {
  writer.text(instance);
  for (const value of [spans, requests, errors]) writer.varint(value);
  writer.sum(durationNs);
  writer.signed(firstUs);
  writer.signed(lastUs - firstUs);
}

function readInstance(reader: ByteReader): InstanceRollup {
  const instance = reader.text();
  const [spans, requests, errors, durationNs] = [reader.varint(), reader.varint(), reader.varint(), reader.varint()];
  const firstUs = reader.signed();
  return { instance, spans, requests, errors, durationNs, firstUs, lastUs: firstUs + reader.signed() };
}
