/** Protobuf of google.rpc.Status, written here once more by hand, so that a mistake of the codec cannot hide. */
export function statusBytes(code: number, message: string, detail?: Buffer): Buffer {
  const fields = [Buffer.of(0x08, code), lengthDelimited(2, Buffer.from(message))];
  if (detail !== undefined) fields.push(lengthDelimited(3, detail));
  return Buffer.concat(fields);
}

/** google.protobuf.Any of a RetryInfo. */
export function retryInfo(ms: number): Buffer {
  const seconds = Math.floor(ms / 1000);
  const nanos = (ms % 1000) * 1_000_000;
  const duration = Buffer.concat([varintField(1, seconds), varintField(2, nanos)]);
  return any('google.rpc.RetryInfo', lengthDelimited(1, duration));
}

/** google.protobuf.Any of a BadRequest with one violation. */
export function badRequest(field: string, description: string): Buffer {
  const violation = Buffer.concat([
    lengthDelimited(1, Buffer.from(field)),
    lengthDelimited(2, Buffer.from(description)),
  ]);
  return any('google.rpc.BadRequest', lengthDelimited(1, violation));
}

function any(type: string, value: Buffer): Buffer {
  return Buffer.concat([lengthDelimited(1, Buffer.from(`type.googleapis.com/${type}`)), lengthDelimited(2, value)]);
}

function lengthDelimited(field: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.of((field << 3) | 2), varint(value.byteLength), value]);
}

function varintField(field: number, value: number): Buffer {
  return Buffer.concat([Buffer.of(field << 3), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80);
  return Buffer.of(...bytes, left);
}
