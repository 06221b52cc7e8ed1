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

/** Enough for an event with a body of 64 MiB in base64. */
const MAX_LINE_BYTES = 96 * 1024 * 1024;

interface ParsedLine {
  readonly value: unknown;
  /** Hex SHA-256 of all lines before this one; valid until the next line is read. */
  readonly hashBefore: () => string;
}

/** Error for a file that is not a complete incident file readable by this version; the message says why. */
export function createInvalidFileError(message: string): HindsightError {
  return new HindsightError('invalid-request', message);
}

export interface IncidentFileHandlers {
  readonly onHeader: (header: IncidentFileHeader) => void | Promise<void>;
  readonly onEvent: (event: ExportedEvent, ordinal: number) => void | Promise<void>;
  /** Called with the number of bytes read so far. */
  readonly onProgress?: (done: number) => void;
}

/**
 * Reads an incident file line by line: memory is bounded by one event. Rejects with `invalid-request` for other files,
 * for newer formats, and for truncated or modified files; what was read until then MUST NOT be used.
 */
export async function readIncidentFile(
  file: string,
  { onHeader, onEvent, onProgress = () => undefined }: IncidentFileHandlers,
): Promise<IncidentFileTrailer['end']> {
  let events = 0;
  let header: IncidentFileHeader | undefined;
  let end: IncidentFileTrailer['end'] | undefined;
  for await (const { value, hashBefore } of readLines(file, onProgress)) {
    if (end !== undefined) throw createInvalidFileError(`${file} is damaged: it has data after its trailer`);
    if (header === undefined) {
      header = parseHeader(value, file);
      await onHeader(header);
    } else if (isTrailer(value)) {
      end = value.end;
      if (end.sha256 !== hashBefore() || end.events !== events)
        throw createInvalidFileError(`${file} is damaged: its trailer does not match its contents`);
    } else await onEvent(parseEvent(value, file), events++);
  }
  if (end === undefined) throw createInvalidFileError(`${file} is truncated: its trailer is missing`);
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
      let lineStart = 0;
      for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, lineStart)) {
        const line = Buffer.concat([...rest, chunk.subarray(lineStart, newline)]);
        rest = [];
        restBytes = 0;
        lineStart = newline + 1;
        yield { value: parseLine(line, file), hashBefore: () => hash.copy().digest('hex') };
        hash.update(line).update('\n');
      }
      rest.push(chunk.subarray(lineStart));
      restBytes += chunk.length - lineStart;
      if (restBytes > MAX_LINE_BYTES)
        throw createInvalidFileError(`${file} has a line longer than ${MAX_LINE_BYTES} bytes`);
    }
  } catch (error) {
    throw error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
      ? toGzipError(file, error.code as string)
      : error;
  } finally {
    input.destroy();
    gunzip.destroy();
  }
  if (restBytes > 0) throw createInvalidFileError(`${file} is truncated: its last line is incomplete`);
}

function toGzipError(file: string, code: string): HindsightError {
  return createInvalidFileError(
    code === 'Z_BUF_ERROR'
      ? `${file} is truncated`
      : `${file} is damaged or not an incident file: it is not valid gzip`,
  );
}

function parseLine(line: Buffer, file: string): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    throw createInvalidFileError(`${file} is damaged or not an incident file: a line is not valid JSON`);
  }
}

function parseHeader(value: unknown, file: string): IncidentFileHeader {
  const header = value as Partial<IncidentFileHeader> | null;
  if (header?.format !== INCIDENT_FILE_FORMAT || typeof header.grid !== 'object' || typeof header.slice !== 'object')
    throw createInvalidFileError(`${file} is not an incident file; create one with \`hindsight export\``);
  if (typeof header.formatVersion !== 'number' || header.formatVersion > INCIDENT_FILE_VERSION) {
    throw createInvalidFileError(
      `${file} has format ${header.formatVersion} of Hindsight ${header.hindsight}, but this version reads up to ${INCIDENT_FILE_VERSION}; import it with that version`,
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
    throw createInvalidFileError(`${file} is damaged: a line is not an event`);
  return event as ExportedEvent;
}
