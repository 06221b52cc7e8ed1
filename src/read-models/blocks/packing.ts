/** Blocks of fewer rows keep all columns in one blob. */
export const PACKED_BELOW_ROWS = 512;

/** Name of the one blob of a packed block. */
export const PACKED_BLOB = 'packed';

const HEAD_BYTES = 4;

/** Puts many blobs into one: length of the directory (JSON: name → size), the directory, the blobs in its order. */
export function pack(blobs: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const sizes = Object.entries(blobs).map(([name, blob]) => [name, blob.length] as const);
  const directory = Buffer.from(JSON.stringify(sizes));
  const head = new Uint8Array(HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, directory.length, true);
  return Buffer.concat([head, directory, ...Object.values(blobs)]);
}

/** The blobs that `pack` put together, as views. */
export function unpack(packed: Uint8Array): Record<string, Uint8Array> {
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  let at = HEAD_BYTES + length;
  const directory = Buffer.from(packed.buffer, packed.byteOffset + HEAD_BYTES, length).toString();
  const blobs: Record<string, Uint8Array> = {};
  for (const [name, size] of JSON.parse(directory) as [string, number][]) {
    blobs[name] = packed.subarray(at, at + size);
    at += size;
  }
  return blobs;
}

/** The columns of a block by name, whichever way they were stored. */
export function columnBlobs(packed: boolean, blobs: Readonly<Record<string, Uint8Array>>): Readonly<Record<string, Uint8Array>> {
  return packed ? unpack(blobs[PACKED_BLOB]) : blobs;
}
