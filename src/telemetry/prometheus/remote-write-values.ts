import type { WireReader } from '../otlp/wire/wire-reader.js';

/** The NaN by which Prometheus marks that a series has ended (model/value/value.go, StaleNaN). */
const STALE = { hi: 0x7ff0_0000, lo: 2 } as const;

/** int64, two's complement. */
export function readInt64(reader: WireReader, limit: number): bigint {
  reader.readVarint64(limit);
  return BigInt.asIntN(64, (BigInt(reader.hi) << 32n) | BigInt(reader.lo));
}

/** A double, of which the bits tell whether it is the marker of a series that has ended. */
export function readValue(reader: WireReader, limit: number): { readonly value: number; readonly isStale: boolean } {
  const { pos } = reader;
  reader.readFixed64(limit);
  const isStale = reader.hi === STALE.hi && reader.lo === STALE.lo;
  reader.pos = pos;
  return { value: reader.readDouble(limit), isStale };
}
