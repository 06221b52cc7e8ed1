import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import express, { type Request, type Response } from 'express';
import { headerValues } from '../requests/request-head.js';
import { Problem } from '../problems/problem-details.js';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FieldError } from '../../errors.js';
import type { FileUpload } from '../route.js';

export const MAX_BODY_BYTES = 1_048_576;

/** `application/json` with any parameters; a charset among them must be UTF-8. */
const JSON_MEDIA_TYPE = /^application\/json[ \t]*(?:;[ \t]*[\w.-]+=(?:"[^"\\]*"|[\w.+-]+)[ \t]*)*$/i;

const CHARSET = /;[ \t]*charset="?([^";\s]*)/i;

/** No content encodings: a megabyte of filters needs none, and so there is nothing to inflate. */
const readBytes = promisify(express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false }));

/** The JSON value of the body; `{}` where there is none, so that the fields it lacks are named. 413, 415 or 400 when it cannot be had. */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  const [mediaType] = headerValues(request.rawHeaders, 'content-type');
  if (mediaType === undefined ? hasBody(request) : !isJson(mediaType)) {
    throw new Problem('unsupported-media-type', 'The body must be application/json in UTF-8.');
  }
  const bytes = await readBodyBytes(request, response);
  return bytes.length === 0 ? {} : parseJson(bytes);
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function isJson(mediaType: string): boolean {
  const charset = CHARSET.exec(mediaType)?.[1];
  return JSON_MEDIA_TYPE.test(mediaType) && (charset === undefined || charset.toLowerCase() === 'utf-8');
}

async function readBodyBytes(request: Request, response: Response): Promise<Uint8Array> {
  await readBytes(request, response);
  const body: unknown = request.body;
  return body instanceof Uint8Array ? body : new Uint8Array();
}

/** Bytes that are no UTF-8 are refused, not replaced: two different texts must not become the same filter. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Problem('malformed-json', 'The body is no JSON text in UTF-8.', { cause });
  }
}

/** What a form may have beside its file: boundaries, headers of parts, fields that we do not know. */
const MAX_FORM_EXTRA_BYTES = 65_536;

const MAX_PARTS = 32;
const MAX_PART_HEADER_BYTES = 8_192;
const MULTIPART = /^multipart\/form-data[ \t]*(?:;|$)/i;

interface FormFile {
  readonly bytes: Uint8Array;
  readonly errors: readonly FieldError[];
}

/**
 * The one file of a multipart form (RFC 7578), under the field's name. Other fields are ignored, as unknown fields of JSON
 * are, but for other files and for names that differ by case alone. 413, 415 or 400 when it cannot be had: as soon as a
 * limit is passed, and what comes after that is read past, not kept.
 */
export async function readFormFile(request: IncomingMessage, field: FileUpload): Promise<FormFile> {
  const [mediaType] = headerValues(request.rawHeaders, 'content-type');
  if (mediaType === undefined && !hasBody(request))
    return { bytes: new Uint8Array(), errors: [createMissingFileError(field)] };
  if (mediaType === undefined || !MULTIPART.test(mediaType) || isEncoded(request)) {
    throw new Problem('unsupported-media-type', 'The body must be multipart/form-data, without a content encoding.');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxFormBytes(field)) throw createTooLargeProblem(field);
  return new FormReader(field, createFormParser(mediaType, field)).read(request);
}

/** One form while it arrives. Ends once, by the last byte or by the first fault that makes the rest worthless. */
class FormReader {
  private readonly chunks: Uint8Array[] = [];
  /** Parts under the field's name, parts under others that are files, and the field's name in other letters. */
  private files = 0;
  private otherFiles = 0;
  private misspelt: string | undefined;
  private arrived = 0;

  constructor(
    private readonly field: FileUpload,
    private readonly parser: BusboyInstance,
  ) {}

  read(request: IncomingMessage): Promise<FormFile> {
    return new Promise<FormFile>((resolve, reject) => {
      this.parser.on('file', (name, stream, fileName) => this.addPart(name, fileName, stream, reject));
      this.parser.on('partsLimit', () =>
        reject(createInvalidFormProblem(`the form must have at most ${MAX_PARTS} parts`)),
      );
      this.parser.on('error', (cause) =>
        reject(createInvalidFormProblem('the body must be a complete multipart/form-data', cause)),
      );
      this.parser.on('finish', () => resolve(this.result()));
      request.on('data', ({ length }: Buffer) => {
        this.arrived += length;
        if (this.arrived > maxFormBytes(this.field)) reject(createTooLargeProblem(this.field));
      });
      // With nobody left to tell: what it rejects with ends the call.
      request.on(
        'close',
        () => request.complete || reject(createInvalidFormProblem('the body must arrive completely')),
      );
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
  private addPart(
    name: string | undefined,
    fileName: string | undefined,
    stream: BusboyFileStream,
    refuse: (problem: Problem) => void,
  ): void {
    stream.on('error', (cause) =>
      refuse(createInvalidFormProblem('the body must be a complete multipart/form-data', cause)),
    );
    if (name === this.field.name && ++this.files === 1) {
      stream.on('limit', () => refuse(createTooLargeProblem(this.field)));
      stream.on('data', (chunk: Buffer) => this.chunks.push(chunk));
      return;
    }
    if (name !== this.field.name) this.noteUnexpectedPart(name, fileName);
    stream.resume();
  }

  private noteUnexpectedPart(name: string | undefined, fileName: string | undefined): void {
    if (name?.toLowerCase() === this.field.name.toLowerCase()) this.misspelt = name;
    else if (fileName !== undefined) this.otherFiles++;
  }

  private result(): FormFile {
    const { name } = this.field;
    const errors: FieldError[] = [];
    if (this.misspelt !== undefined)
      errors.push({ field: this.misspelt, message: `${this.misspelt} is not known: the field is spelt ${name}` });
    if (this.files === 0) errors.push(createMissingFileError(this.field));
    else if (this.files > 1) errors.push({ field: name, message: `${name} must be given once` });
    else if (this.otherFiles > 0) errors.push({ field: name, message: `${name} must be the only file` });
    return { bytes: Buffer.concat(this.chunks), errors };
  }
}

/** 400 for a media type without a boundary, or with one that is no boundary. */
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
  return { field: name, message: `${name} is required: a file in multipart/form-data` };
}

function createTooLargeProblem({ name, maxBytes, tooLarge: slug }: FileUpload): Problem {
  return new Problem(
    slug,
    `The file in ${name} may have ${maxBytes} bytes, and the form around it ${MAX_FORM_EXTRA_BYTES} more.`,
  );
}

function createInvalidFormProblem(message: string, cause?: unknown): Problem {
  return new Problem('invalid-request', 'The body is not as the operation requires.', {
    errors: [{ field: '', message }],
    cause,
  });
}
