import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import express, { type Request, type Response } from 'express';
import { hasBody, headerValues } from '../requests/request-headers.js';
import { Problem } from '../problems/problem-details.js';
import { findUnknownNames } from '../requests/request-parser.js';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FieldError } from '../../errors.js';
import type { FileUpload } from '../route.js';

export const MAX_BODY_BYTES = 1_048_576;

/** `application/json` with any parameters. `CHARSET` restricts the charset to UTF-8. */
const JSON_MEDIA_TYPE = /^application\/json[ \t]*(?:;[ \t]*[\w.-]+=(?:"[^"\\]*"|[\w.+-]+)[ \t]*)*$/i;

const CHARSET = /;[ \t]*charset="?([^";\s]*)/i;

/** Rejects content encodings, so that a small body cannot inflate to a large one. */
const readBytes = promisify(express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false }));

/** The JSON value of the body; `{}` for an empty one, so that validation names the missing fields. Throws 400, 413 or 415. */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  const [mediaType] = headerValues(request.rawHeaders, 'content-type');
  if (mediaType === undefined ? hasBody(request) : !isJson(mediaType)) {
    throw new Problem('unsupported-media-type', 'The request body must be application/json in UTF-8.');
  }
  const bytes = await readBodyBytes(request, response);
  return bytes.length === 0 ? {} : parseJson(bytes);
}

/**
 * Errors of the body that was sent to an operation that takes none: each field, or the body as a whole if it is not a JSON
 * object. `{}` is accepted.
 */
export async function findUnexpectedBody(request: Request, response: Response): Promise<readonly FieldError[]> {
  const unexpected: FieldError = { field: '', message: 'this operation takes no request body' };
  try {
    const bytes = await readBodyBytes(request, response);
    const sent = bytes.length === 0 ? {} : parseJson(bytes);
    const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
    return isObject ? findUnknownNames(Object.keys(sent), []) : [unexpected];
  } catch {
    // Too large, encoded or not JSON: none of this matters, since any body is one too many.
    return [unexpected];
  }
}

function isJson(mediaType: string): boolean {
  const charset = CHARSET.exec(mediaType)?.[1];
  return JSON_MEDIA_TYPE.test(mediaType) && (charset === undefined || charset.toLowerCase() === 'utf-8');
}

async function readBodyBytes(request: Request, response: Response): Promise<Uint8Array> {
  await readBytes(request, response);
  const body: unknown = request.body;
  return body instanceof Uint8Array ? body : new Uint8Array();
}

/** Invalid UTF-8 is rejected, not replaced: two different texts must not become the same filter. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Problem('malformed-json', 'The request body is not valid UTF-8 JSON.', { cause });
  }
}

/** Size limit for everything in a form except the file: boundaries, part headers, unknown fields. */
const MAX_FORM_EXTRA_BYTES = 65_536;

const MAX_PARTS = 32;
const MAX_PART_HEADER_BYTES = 8_192;
const MULTIPART = /^multipart\/form-data[ \t]*(?:;|$)/i;

interface FormFile {
  readonly bytes: Uint8Array;
  readonly errors: readonly FieldError[];
}

/**
 * Reads the file of a multipart form (RFC 7578). Other fields and files are errors. Throws 400, 413 or 415 as soon as a
 * limit is exceeded; the rest of the body is then read and discarded.
 */
export async function readFormFile(request: IncomingMessage, field: FileUpload): Promise<FormFile> {
  const [mediaType] = headerValues(request.rawHeaders, 'content-type');
  if (mediaType === undefined && !hasBody(request))
    return { bytes: new Uint8Array(), errors: [createMissingFileError(field)] };
  if (mediaType === undefined || !MULTIPART.test(mediaType) || isEncoded(request)) {
    throw new Problem(
      'unsupported-media-type',
      'The request body must be multipart/form-data without a content encoding.',
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > maxFormBytes(field)) throw createTooLargeProblem(field);
  return new FormReader(field, createFormParser(mediaType, field)).read(request);
}

/** Reads one form as it arrives. Settles once, at the last byte or at the first fatal error. */
class FormReader {
  private readonly chunks: Uint8Array[] = [];
  /** Number of parts with the expected name, and the names of the others; empty for a part without a name. */
  private files = 0;
  private readonly otherNames: string[] = [];
  private receivedBytes = 0;

  constructor(
    private readonly field: FileUpload,
    private readonly parser: BusboyInstance,
  ) {}

  read(request: IncomingMessage): Promise<FormFile> {
    return new Promise<FormFile>((resolve, reject) => {
      this.parser.on('file', (name, stream) => this.addPart(name, stream, reject));
      this.parser.on('partsLimit', () =>
        reject(createInvalidFormProblem(`the form must have at most ${MAX_PARTS} parts`)),
      );
      this.parser.on('error', (cause) =>
        reject(createInvalidFormProblem('the body must be complete multipart/form-data', cause)),
      );
      this.parser.on('finish', () => resolve(this.result()));
      request.on('data', ({ length }: Buffer) => {
        this.receivedBytes += length;
        if (this.receivedBytes > maxFormBytes(this.field)) reject(createTooLargeProblem(this.field));
      });
      // The client has disconnected: nobody receives the error, but the rejection ends the call.
      request.on(
        'close',
        () => request.complete || reject(createInvalidFormProblem('the body must arrive completely')),
      );
      request.pipe(this.parser);
    }).catch((refusal: unknown) => {
      request.unpipe(this.parser);
      this.chunks.length = 0;
      // Discard the rest: a client that sends everything before it reads gets its response, and the connection stays usable.
      request.resume();
      throw refusal;
    });
  }

  /** Every part is treated as a stream, so that unwanted parts are never buffered. */
  private addPart(name: string | undefined, stream: BusboyFileStream, refuse: (problem: Problem) => void): void {
    stream.on('error', (cause) =>
      refuse(createInvalidFormProblem('the body must be complete multipart/form-data', cause)),
    );
    if (name === this.field.name && ++this.files === 1) {
      stream.on('limit', () => refuse(createTooLargeProblem(this.field)));
      stream.on('data', (chunk: Buffer) => this.chunks.push(chunk));
      return;
    }
    if (name !== this.field.name) this.otherNames.push(name ?? '');
    stream.resume();
  }

  private result(): FormFile {
    const { name } = this.field;
    const errors = findUnknownNames(this.otherNames, [name]);
    if (this.files === 0) errors.push(createMissingFileError(this.field));
    else if (this.files > 1) errors.push({ field: name, message: `${name} must be given only once` });
    return { bytes: Buffer.concat(this.chunks), errors };
  }
}

/** Throws 400 for a media type without a valid boundary. */
function createFormParser(mediaType: string, { maxBytes }: FileUpload): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': mediaType },
      isPartAFile: () => true,
      limits: { fileSize: maxBytes, parts: MAX_PARTS, headerSize: MAX_PART_HEADER_BYTES },
    });
  } catch (cause) {
    throw createInvalidFormProblem('the media type of the body must name its boundary', cause);
  }
}

function isEncoded({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding.toLowerCase() !== 'identity';
}

function maxFormBytes({ maxBytes }: FileUpload): number {
  return maxBytes + MAX_FORM_EXTRA_BYTES;
}

function createMissingFileError({ name }: FileUpload): FieldError {
  return { field: name, message: `${name} is required: send a file in multipart/form-data` };
}

function createTooLargeProblem({ name, maxBytes, tooLarge: slug }: FileUpload): Problem {
  return new Problem(
    slug,
    `The file in ${name} may be at most ${maxBytes} bytes, and the rest of the form at most ${MAX_FORM_EXTRA_BYTES} bytes.`,
  );
}

function createInvalidFormProblem(message: string, cause?: unknown): Problem {
  return new Problem('invalid-request', 'The request body is invalid.', {
    errors: [{ field: '', message }],
    cause,
  });
}
