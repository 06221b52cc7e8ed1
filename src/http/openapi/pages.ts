import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router as ExpressRouter, type Request, type RequestHandler, type Response } from 'express';
import { docsPage } from '../docs/page.js';
import { contentPolicy } from '../docs/style.js';
import { entityTagOf, namesEntity } from '../entity-tag.js';
import { headerValues } from '../headers.js';
import { sendNothing } from '../send.js';
import { readOnly } from '../service-pages.js';
import { openApiSteps, type DocumentSettings, type OpenApiDocument } from './document.js';

/** Named, and not with the weight 0 (RFC 9110 §12.5.3). */
const ACCEPTS_GZIP = /(?:^|[,\s])gzip(?![^,]*;\s*q=0(?:\.0*)?\s*(?:,|$))\s*(?:[;,]|$)/i;

interface Page {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly zipped: Uint8Array;
  /** Of the content, whatever its encoding, and so a weak one: equal for equal documents, also after a restart. */
  readonly entityTag: string;
  /** Instead of the policy of answers, which lets nothing show. */
  readonly contentPolicy?: string;
}

/** The document and its page. Both are made when somebody first asks, for no start should wait for them. */
export function documentationPages(settings: DocumentSettings): RequestHandler {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  const document = once(() => made(settings));
  const asJson = once(async () => page('application/json; charset=utf-8', JSON.stringify(await document())));
  const asHtml = once(async () => ({ ...(await page('text/html; charset=utf-8', docsPage(await document()))), contentPolicy }));
  readOnly(pages, '/openapi.json', async (request, response) => send(await asJson(), request, response));
  readOnly(pages, '/docs', async (request, response) => send(await asHtml(), request, response));
  return pages;
}

async function made(settings: DocumentSettings): Promise<OpenApiDocument> {
  const making = openApiSteps(settings);
  for (;;) {
    const step = making.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}

async function page(mediaType: string, text: string): Promise<Page> {
  const bytes = Buffer.from(text);
  return { mediaType, bytes, zipped: await promisify(gzip)(bytes), entityTag: `W/${entityTagOf({ text })}` };
}

function send({ mediaType, bytes, zipped, entityTag, contentPolicy: policy }: Page, request: Request, response: Response): void {
  const isZipped = ACCEPTS_GZIP.test(headerValues(request.rawHeaders, 'accept-encoding').join(','));
  response.setHeader('ETag', entityTag);
  // May be kept, and is asked for each time: most answers are then 304.
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Accept-Encoding');
  if (policy !== undefined) response.setHeader('Content-Security-Policy', policy);
  if (namesEntity(headerValues(request.rawHeaders, 'if-none-match'), entityTag.slice(2))) return sendNothing(response, 304);
  const sent = isZipped ? zipped : bytes;
  response.statusCode = 200;
  response.setHeader('Content-Type', mediaType);
  if (isZipped) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', sent.length);
  response.end(sent);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
