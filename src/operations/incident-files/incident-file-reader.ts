import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { HindsightError } from '../../errors.js';
import {
  INCIDENT_FILE_FORMAT,
  INCIDENT_FILE_VERSION,
  type ExportedEvent,
  type IncidentFileHeader,
  type IncidentFileTrailer,
} from './incident-file-format.js';

/** A body of 64 MiB in base64, and its event. */
const MAX_LINE_BYTES = 96 * 1024 * 1024;

interface ParsedLine {
  readonly value: unknown;
  /** Hex SHA-256 over all lines before this one; to be asked before the next line is read. */
  readonly sha256Before: () => string;
}

/** The file is not a whole slice that this program can read; the message says why. */
export function createInvalidFileError(message: string): HindsightError {
  return new HindsightError('invalid-request', message);
}

export interface IncidentFileHandlers {
  readonly onHeader: (header: IncidentFileHeader) => void | Promise<void>;
  readonly onEvent: (event: ExportedEvent, ordinal: number) => void | Promise<void>;
  /** Bytes of the file that were read. */
  readonly onProgress?: (done: number) => void;
}

/**
 * Reads a slice from end to end, a line at a time: memory is bounded by one event. Rejects with `invalid-request` for what is no slice, one of a newer
 * format, cut off, or changed since it was written; what was read until then MUST NOT count.
 */
export async function readIncidentFile(
  file: string,
  { onHeader, onEvent, onProgress = () => undefined }: IncidentFileHandlers,
): Promise<IncidentFileTrailer['end']> {
  let events = 0;
  let header: IncidentFileHeader | undefined;
  let end: IncidentFileTrailer['end'] | undefined;
  for await (const { value, sha256Before } of readLines(file, onProgress)) {
    if (end !== undefined) throw createInvalidFileError(`${file} goes on after its end`);
    if (header === undefined) {
      header = parseHeader(value, file);
      await onHeader(header);
    } else if (isTrailer(value)) {
      end = value.end;
      if (end.sha256 !== sha256Before() || end.events !== events)
        throw createInvalidFileError(`${file} is damaged: it is not what its last line says`);
    } else await onEvent(parseEvent(value, file), events++);
  }
  if (end === undefined) throw createInvalidFileError(`${file} is cut off: its last line is missing`);
  return end;
}

async function* readLines(file: string, onProgress: (done: number) => void): AsyncGenerator<ParsedLine> {
  const input = createReadStream(file, { highWaterMark: 1 << 18 });
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  input.on('error', (error) => gunzip.destroy(error));
  const hash = createHash('sha256');
  let rest: Buffer[] = [];
  let restBytes = 0;
  try {
    for await (const chunk of input.pipe(gunzip) as AsyncIterable<Buffer>) {
      onProgress(input.bytesRead);
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        const line = Buffer.concat([...rest, chunk.subarray(from, at)]);
        rest = [];
        restBytes = 0;
        from = at + 1;
        yield { value: parseLine(line, file), sha256Before: () => hash.copy().digest('hex') };
        hash.update(line).update('\n');
      }
      rest.push(chunk.subarray(from));
      restBytes += chunk.length - from;
      if (restBytes > MAX_LINE_BYTES)
        throw createInvalidFileError(`${file} has a line of more than ${MAX_LINE_BYTES} bytes`);
    }
  } catch (error) {
    throw error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
      ? toGzipError(file, error.code as string)
      : error;
  } finally {
    input.destroy();
    gunzip.destroy();
  }
  if (restBytes > 0) throw createInvalidFileError(`${file} is cut off: its last line does not end`);
}

function toGzipError(file: string, code: string): HindsightError {
  return createInvalidFileError(
    code === 'Z_BUF_ERROR' ? `${file} is cut off` : `${file} is damaged, or no slice: it is not valid gzip`,
  );
}

function parseLine(line: Buffer, file: string): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    throw createInvalidFileError(`${file} is damaged, or no slice: a line is not valid JSON`);
  }
}

function parseHeader(value: unknown, file: string): IncidentFileHeader {
  const header = value as Partial<IncidentFileHeader> | null;
  if (header?.format !== INCIDENT_FILE_FORMAT || typeof header.grid !== 'object' || typeof header.slice !== 'object')
    throw createInvalidFileError(`${file} is no slice of a Grid: \`hindsight export\` writes one`);
  if (typeof header.formatVersion !== 'number' || header.formatVersion > INCIDENT_FILE_VERSION) {
    throw createInvalidFileError(
      `${file} has format ${header.formatVersion}, written by Hindsight ${header.hindsight}; this program knows ${INCIDENT_FILE_VERSION}: import it with that version`,
    );
  }
  return header as IncidentFileHeader;
}

function isTrailer(value: unknown): value is IncidentFileTrailer {
  return (
    typeof value === 'object' && value !== null && 'end' in value && typeof value.end === 'object' && value.end !== null
  );
}

function parseEvent(value: unknown, file: string): ExportedEvent {
  const event = value as Partial<ExportedEvent> | null;
  if (typeof event?.type !== 'string' || typeof event.data !== 'object' || event.data === null)
    throw createInvalidFileError(`${file} is damaged: a line is no event`);
  return event as ExportedEvent;
}
