import type { ServerResponse } from 'node:http';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import helmet, { strictTransportSecurity } from 'helmet';
import type { ClientResolver } from '../connection/client-resolver.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Characters or bytes per write, which takes 1 or 2 ms including the conversion to JSON. */
const CHUNK_SIZE = 128 * 1024;

/** A client that reads nothing for this long is disconnected, because its response would stay in memory. */
const STALL_MS = 30_000;

/** Sends a text and ends the response. Used instead of Express' `send`, which adds an ETag of its own and may send 304. */
export function sendText(response: ServerResponse, status: number, mediaType: string, text: string): void {
  const bytes = Buffer.from(text);
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** Sends a response without a body. */
export function sendEmpty(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end();
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  sendText(response, status, JSON_TYPE, JSON.stringify(value));
}

/**
 * Sends JSON that may contain lists of any length (see StreamedList). A body that fits into one chunk is sent at once with
 * its length; a longer one chunk by chunk, as fast as the client reads it, and other requests are served in between.
 */
export async function sendStreamedJson(
  response: ServerResponse,
  status: number,
  body: object,
  stallMs = STALL_MS,
): Promise<void> {
  const texts = generateJson(body);
  let chunk = collectChunk(texts);
  if (chunk.isLast) return sendText(response, status, JSON_TYPE, chunk.text);
  response.statusCode = status;
  response.setHeader('Content-Type', JSON_TYPE);
  for (; !chunk.isLast; chunk = collectChunk(texts)) {
    if (!response.write(chunk.text)) await waitForDrain(response, stallMs);
    // A fast client drains within the same event loop turn, so yield explicitly.
    await nextRound();
    if (response.destroyed) return;
  }
  response.end(chunk.text);
}

/** Sends a large binary body, as fast as the client reads it. */
export async function sendBinary(
  response: ServerResponse,
  status: number,
  mediaType: string,
  bytes: Uint8Array,
  stallMs = STALL_MS,
): Promise<void> {
  return sendChunks(response, status, { mediaType, length: bytes.length, chunks: sliceBytes(bytes) }, stallMs);
}

/** A binary body in chunks; `length` is the total number of bytes. */
export interface ChunkedBody {
  readonly mediaType: string;
  readonly length: number;
  readonly chunks: Iterable<Uint8Array>;
}

/** Sends a binary body that is generated while it is sent; other requests are served in between. */
export async function sendChunks(
  response: ServerResponse,
  status: number,
  { mediaType, length, chunks }: ChunkedBody,
  stallMs = STALL_MS,
): Promise<void> {
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', length);
  for (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await waitForDrain(response, stallMs);
    await nextRound();
  }
  response.end();
}

function* sliceBytes(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_SIZE) yield bytes.subarray(at, at + CHUNK_SIZE);
}

/** Bounded by size, not by time, so that equal responses have equal headers. */
function collectChunk(texts: Iterator<string, void>): { text: string; isLast: boolean } {
  let text = '';
  while (text.length < CHUNK_SIZE) {
    const { value, done } = texts.next();
    if (done === true) return { text, isLast: true };
    text += value;
  }
  return { text, isLast: false };
}

/** Resolves when the client has read what was written, or has disconnected. */
function waitForDrain(response: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), stallMs);
    const finish = (): void => {
      clearTimeout(timer);
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
    if (response.destroyed) finish();
  });
}

/** HSTS for one year (RFC 6797), only in responses to requests over HTTPS, as the RFC requires. */
export function createTransportSecurityHeaders(clients: ClientResolver): RequestHandler {
  const setHsts = strictTransportSecurity({ maxAge: 31_536_000, includeSubDomains: false });
  return (request, response, next) => {
    if (clients.resolve(request.socket, request.headers).secure) setHsts(request, response, next);
    else next();
  };
}

/** For JSON and plain text: no scripts, frames, content sniffing or caching. */
export function createApiHeaders(): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
      },
      xFrameOptions: { action: 'deny' },
      strictTransportSecurity: false,
    }),
    (_request, response, next) => {
      response.setHeader('Cache-Control', 'no-store');
      next();
    },
  ];
}

/** For mounted pages that set their own content policy and caching. */
export function createPageHeaders(): RequestHandler {
  return helmet({ contentSecurityPolicy: false, strictTransportSecurity: false });
}

/** A list of any length in a response body. Its items are converted one at a time, while they are sent. */
export class StreamedList<Item, Presented extends object = object> {
  constructor(
    private readonly items: readonly Item[],
    private readonly present: (item: Item) => Presented,
  ) {}

  /** JSON of each item. */
  *texts(): Generator<string, void> {
    for (const item of this.items) yield JSON.stringify(this.present(item));
  }

  /** Makes `JSON.stringify` produce the same text. */
  toJSON(): Presented[] {
    return this.items.map((item) => this.present(item));
  }
}

/** The text of `JSON.stringify(body)` in pieces: one per item of each StreamedList among the members of the body. */
export function* generateJson(body: object): Generator<string, void> {
  const members: [string, unknown][] = Object.entries(body);
  if (!members.some(([, value]) => value instanceof StreamedList)) {
    yield JSON.stringify(body);
    return;
  }
  let lead = '{';
  for (const [name, value] of members) {
    if (value instanceof StreamedList) yield* generateListJson(`${lead}${JSON.stringify(name)}:`, value);
    else {
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined) continue;
      yield `${lead}${JSON.stringify(name)}:${text}`;
    }
    lead = ',';
  }
  yield '}';
}

function* generateListJson(lead: string, list: Pick<StreamedList<unknown>, 'texts'>): Generator<string, void> {
  yield `${lead}[`;
  let comma = '';
  for (const text of list.texts()) {
    yield comma + text;
    comma = ',';
  }
  yield ']';
}
