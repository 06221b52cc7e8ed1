import type { ServerResponse } from 'node:http';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { BinaryResponse } from './api-responses.js';
import { generateJson } from './streamed-list.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Characters or bytes that are written in one go: one or two ms of work where they are presented first. */
const SLICE = 128 * 1024;
/** A client that takes nothing for so long is cut off: its answer would stay in memory. */
const STALL_MS = 30_000;

/** Ends the answer with this text. Not `response.send`: that one adds validators of its own, and may answer 304. */
export function sendText(response: ServerResponse, status: number, mediaType: string, text: string): void {
  const bytes = Buffer.from(text);
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** An answer that is nothing but its status. */
export function sendEmpty(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end();
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  sendText(response, status, JSON_TYPE, JSON.stringify(value));
}

/**
 * Sends an answer that may hold lists of any length (see PresentedList). What fits into one slice goes out like any
 * other answer; a longer one slice by slice, as fast as the client takes it, and others are served in between.
 */
export async function sendStreamedJson(
  response: ServerResponse,
  status: number,
  answer: object,
  stallMs = STALL_MS,
): Promise<void> {
  const pieces = generateJson(answer);
  let slice = collectSlice(pieces);
  if (slice.isLast) return sendText(response, status, JSON_TYPE, slice.text);
  response.statusCode = status;
  response.setHeader('Content-Type', JSON_TYPE);
  for (; !slice.isLast; slice = collectSlice(pieces)) {
    if (!response.write(slice.text)) await waitForDrain(response, stallMs);
    // A client that takes all at once drains within the same round.
    await nextRound();
    if (response.destroyed) return;
  }
  response.end(slice.text);
}

/** Sends bytes that may be millions, as fast as the client takes them. */
export async function sendBinary(
  response: ServerResponse,
  status: number,
  mediaType: string,
  bytes: Uint8Array,
  stallMs = STALL_MS,
): Promise<void> {
  return sendChunks(response, status, { mediaType, length: bytes.length, pieces: sliceBytes(bytes) }, stallMs);
}

/** The same of bytes that are made while they are sent; others are served in between. */
export async function sendChunks(
  response: ServerResponse,
  status: number,
  { mediaType, length, pieces }: BinaryResponse,
  stallMs = STALL_MS,
): Promise<void> {
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', length);
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await waitForDrain(response, stallMs);
    await nextRound();
  }
  response.end();
}

function* sliceBytes(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/** Bounded by size, not by time: so equal answers have equal headers. */
function collectSlice(pieces: Iterator<string, void>): { text: string; isLast: boolean } {
  let text = '';
  while (text.length < SLICE) {
    const { value, done } = pieces.next();
    if (done === true) return { text, isLast: true };
    text += value;
  }
  return { text, isLast: false };
}

/** Resolves when the client has taken what was written, or is gone. */
function waitForDrain(response: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), stallMs);
    const goOn = (): void => {
      clearTimeout(stalled);
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.on('drain', goOn).on('close', goOn);
    if (response.destroyed) goOn();
  });
}
