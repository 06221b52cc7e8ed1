/** A flag byte (1: compressed) and the length of the message as 32 bits, big-endian. */
export const FRAME_HEADER_BYTES = 5;

/** Bytes of the frame that starts here, its header included; undefined while fewer than five bytes are there. */
export function frameLength(firstBytes: Uint8Array): number | undefined {
  if (firstBytes.byteLength < FRAME_HEADER_BYTES) return undefined;
  return FRAME_HEADER_BYTES + new DataView(firstBytes.buffer, firstBytes.byteOffset).getUint32(1);
}

export type Unframed =
  | { readonly ok: true; readonly compressed: boolean; readonly message: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly reason: string };

/** The one message of a unary request. */
export function unframe(body: Uint8Array<ArrayBuffer>): Unframed {
  if (frameLength(body) !== body.byteLength) return { ok: false, reason: 'the body is not exactly one gRPC message' };
  if (body[0] > 1) return { ok: false, reason: `unknown flags ${body[0]} in the gRPC message header` };
  return { ok: true, compressed: body[0] === 1, message: body.subarray(FRAME_HEADER_BYTES) };
}

/** An uncompressed message, framed. */
export function frameMessage(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(FRAME_HEADER_BYTES + message.byteLength);
  new DataView(frame.buffer).setUint32(1, message.byteLength);
  frame.set(message, FRAME_HEADER_BYTES);
  return frame;
}
