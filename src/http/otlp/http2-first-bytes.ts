/** Length of the connection preface (RFC 9113, section 3.4). */
const PREFACE_BYTES = 24;
const FRAME_HEAD_BYTES = 9;
const [DATA, HEADERS, RESET, CONTINUATION] = [0, 1, 3, 9] as const;

/** Frames in the first bytes; no well-behaved client sends more. */
const MAX_REQUESTS = 256;
const MAX_RESETS = 100;
const MAX_CONTROL_FRAMES = 500;

/**
 * Why the first bytes of an HTTP/2 connection, from its preface, are a flood; undefined if they are not. The limits that
 * nghttp2 enforces hold only once the client has acknowledged the settings of the server: until then it would handle a
 * thousand requests of one read.
 */
export function findHttp2Flood(firstBytes: Uint8Array): 'aborted-requests' | 'control-frames' | undefined {
  let [requests, resets, controls] = [0, 0, 0];
  for (const type of readFrameTypes(firstBytes)) {
    if (type === HEADERS) requests++;
    else if (type === RESET) resets++;
    else if (type !== DATA && type !== CONTINUATION) controls++;
  }
  if (requests > MAX_REQUESTS || resets > MAX_RESETS) return 'aborted-requests';
  return controls > MAX_CONTROL_FRAMES ? 'control-frames' : undefined;
}

function* readFrameTypes(bytes: Uint8Array): Generator<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = PREFACE_BYTES; at + FRAME_HEAD_BYTES <= bytes.byteLength;) {
    yield view.getUint8(at + 3);
    at += FRAME_HEAD_BYTES + (view.getUint8(at) << 16) + view.getUint16(at + 1);
  }
}
