import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Signal } from '../signals.js';
import type { Examination, ExaminationRequest } from './examination.js';
import { inflate } from './inflate.js';
import { jsonToProtobuf, MalformedJson } from './json-to-protobuf.js';
import { TooScattered } from './spread.js';
import { validate } from './validate.js';
import { TooManyRecords } from './verdicts.js';
import { MalformedBody } from './wire-reader.js';
import { OversizedMessage } from './wire-writer.js';

/** Bodies that come uncompressed are stored with the cheapest compression there is. */
const STORED_GZIP_LEVEL = 1;

/**
 * Inflates, translates, validates and names one export request. Pure and synchronous: run it off the serving thread.
 * Every fault of the sender is an answer; nothing that a body contains makes it throw.
 */
export function examine(request: ExaminationRequest): Examination {
  const inflated = inflate(request.body, request.encoding, request.maxInflatedBytes);
  if (!inflated.ok) return inflated;
  try {
    const received = inflated.bytes;
    const protobuf = request.format === 'json' ? jsonToProtobuf(request.signal, received, request.maxInflatedBytes) : received;
    const { total, rejected, message } = validate(request.signal, protobuf, request);
    return {
      ok: true,
      accepted: total - rejected.length,
      rejected,
      message,
      identity: identityOf(request.gridId, request.signal, received),
      ...stored(request, protobuf),
      inflatedBytes: protobuf.length,
    };
  } catch (error) {
    if (error instanceof MalformedBody) return { ok: false, fault: 'malformed', message: `The body is not a valid OTLP request: ${error.message}.` };
    if (error instanceof MalformedJson) return { ok: false, fault: 'malformed', message: `The body is not valid OTLP/JSON: ${error.message}.` };
    if (error instanceof OversizedMessage || error instanceof TooManyRecords || error instanceof TooScattered) return { ok: false, fault: 'too-large', message: `The body is too large: ${error.message}.` };
    throw error;
  }
}

/** Hex SHA-256 over Grid, signal and the inflated body as received. */
export function identityOf(gridId: string, signal: Signal, inflated: Uint8Array): string {
  return createHash('sha256').update(`${gridId}\n${signal}\n`).update(inflated).digest('hex');
}

/** Compressed protobuf is kept as it came; everything else is compressed here. */
function stored(request: ExaminationRequest, protobuf: Uint8Array): Pick<Extract<Examination, { ok: true }>, 'body' | 'encoding'> {
  if (request.format === 'protobuf' && request.encoding !== 'identity') return { body: request.body, encoding: request.encoding };
  return { body: gzipSync(protobuf, { level: STORED_GZIP_LEVEL }), encoding: 'gzip' };
}
