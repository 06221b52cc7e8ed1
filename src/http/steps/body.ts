import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import express, { type Request, type Response } from 'express';
import { headerValues } from '../headers.js';
import { Problem } from '../problems/problem.js';

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
  const bytes = await readAll(request, response);
  return bytes.length === 0 ? {} : parseJson(bytes);
}

export const hasBody = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function isJson(mediaType: string): boolean {
  const charset = CHARSET.exec(mediaType)?.[1];
  return JSON_MEDIA_TYPE.test(mediaType) && (charset === undefined || charset.toLowerCase() === 'utf-8');
}

async function readAll(request: Request, response: Response): Promise<Uint8Array> {
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
