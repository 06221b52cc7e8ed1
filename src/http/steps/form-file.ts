import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FieldError } from '../../errors.js';
import { headerValues } from '../headers.js';
import { Problem } from '../problems/problem.js';
import type { FileField } from '../route.js';
import { hasBody } from './body.js';

/** What a form may have beside its file: boundaries, headers of parts, fields that we do not know. */
const MAX_FORM_EXTRA_BYTES = 65_536;
const MAX_PARTS = 32;
const MAX_PART_HEADER_BYTES = 8_192;

const MULTIPART = /^multipart\/form-data[ \t]*(?:;|$)/i;

export interface FormFile {
  readonly bytes: Uint8Array;
  readonly errors: readonly FieldError[];
}

/**
 * The one file of a multipart form (RFC 7578), under the field's name. Other fields are ignored, as unknown fields of JSON
 * are, but for other files and for names that differ by case alone. 413, 415 or 400 when it cannot be had: as soon as a
 * limit is passed, and what comes after that is read past, not kept.
 */
export async function readFile(request: IncomingMessage, field: FileField): Promise<FormFile> {
  const [mediaType] = headerValues(request.rawHeaders, 'content-type');
  if (mediaType === undefined && !hasBody(request)) return { bytes: new Uint8Array(), errors: [missing(field)] };
  if (mediaType === undefined || !MULTIPART.test(mediaType) || isEncoded(request)) {
    throw new Problem('unsupported-media-type', 'The body must be multipart/form-data, without a content encoding.');
  }
  if (Number(request.headers['content-length'] ?? 0) > mostBytes(field)) throw tooLarge(field);
  return new FormReading(field, parserFor(mediaType, field)).of(request);
}

/** One form while it arrives. Ends once, by the last byte or by the first fault that makes the rest worthless. */
class FormReading {
  private readonly chunks: Uint8Array[] = [];
  /** Parts under the field's name, parts under others that are files, and the field's name in other letters. */
  private files = 0;
  private otherFiles = 0;
  private misspelt: string | undefined;
  private arrived = 0;

  constructor(
    private readonly field: FileField,
    private readonly parser: BusboyInstance,
  ) {}

  of(request: IncomingMessage): Promise<FormFile> {
    return new Promise<FormFile>((resolve, reject) => {
      this.parser.on('file', (name, stream, fileName) => this.part(name, fileName, stream, reject));
      this.parser.on('partsLimit', () => reject(malformed(`the form must have at most ${MAX_PARTS} parts`)));
      this.parser.on('error', (cause) => reject(malformed('the body must be a complete multipart/form-data', cause)));
      this.parser.on('finish', () => resolve(this.result()));
      request.on('data', ({ length }: Buffer) => {
        this.arrived += length;
        if (this.arrived > mostBytes(this.field)) reject(tooLarge(this.field));
      });
      // With nobody left to tell: what it rejects with ends the call.
      request.on('close', () => request.complete || reject(malformed('the body must arrive completely')));
      request.pipe(this.parser);
    }).catch((refusal: unknown) => {
      request.unpipe(this.parser);
      this.chunks.length = 0;
      // Read past the rest: a client that sends all before it reads gets its answer, and the connection stays usable.
      request.resume();
      throw refusal;
    });
  }

  /** Every part is read as a stream, a file or not: so nothing of it is kept that is not wanted. */
  private part(name: string | undefined, fileName: string | undefined, stream: BusboyFileStream, refuse: (problem: Problem) => void): void {
    stream.on('error', (cause) => refuse(malformed('the body must be a complete multipart/form-data', cause)));
    if (name === this.field.name && ++this.files === 1) {
      stream.on('limit', () => refuse(tooLarge(this.field)));
      stream.on('data', (chunk: Buffer) => this.chunks.push(chunk));
      return;
    }
    if (name !== this.field.name) this.noteOther(name, fileName);
    stream.resume();
  }

  private noteOther(name: string | undefined, fileName: string | undefined): void {
    if (name?.toLowerCase() === this.field.name.toLowerCase()) this.misspelt = name;
    else if (fileName !== undefined) this.otherFiles++;
  }

  private result(): FormFile {
    const { name } = this.field;
    const errors: FieldError[] = [];
    if (this.misspelt !== undefined) errors.push({ field: this.misspelt, message: `${this.misspelt} is not known: the field is spelt ${name}` });
    if (this.files === 0) errors.push(missing(this.field));
    else if (this.files > 1) errors.push({ field: name, message: `${name} must be given once` });
    else if (this.otherFiles > 0) errors.push({ field: name, message: `${name} must be the only file` });
    return { bytes: Buffer.concat(this.chunks), errors };
  }
}

/** 400 for a media type without a boundary, or with one that is no boundary. */
function parserFor(mediaType: string, { maxBytes }: FileField): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': mediaType },
      isPartAFile: () => true,
      limits: { fileSize: maxBytes, parts: MAX_PARTS, headerSize: MAX_PART_HEADER_BYTES },
    });
  } catch (cause) {
    throw malformed('the media type of the body must name its boundary', cause);
  }
}

function isEncoded({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding.toLowerCase() !== 'identity';
}

function mostBytes({ maxBytes }: FileField): number {
  return maxBytes + MAX_FORM_EXTRA_BYTES;
}

function missing({ name }: FileField): FieldError {
  return { field: name, message: `${name} is required: a file in multipart/form-data` };
}

function tooLarge({ name, maxBytes, tooLarge: slug }: FileField): Problem {
  return new Problem(slug, `The file in ${name} may have ${maxBytes} bytes, and the form around it ${MAX_FORM_EXTRA_BYTES} more.`);
}

function malformed(message: string, cause?: unknown): Problem {
  return new Problem('invalid-request', 'The body is not as the operation requires.', { errors: [{ field: '', message }], cause });
}
