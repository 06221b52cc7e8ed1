import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router as ExpressRouter, type Request, type RequestHandler, type Response } from 'express';
import { documentationContentPolicy, renderDocumentationPage } from '../docs/documentation-page.js';
import { computeEntityTag, headerValues, matchesEntityTag } from '../requests/request-headers.js';
import { sendEmpty } from '../responses/send-response.js';
import { addReadOnlyPage } from '../api/operational-pages.js';
import { buildOpenApiInSteps, type OpenApiSettings, type OpenApiDocument } from './openapi-document.js';

/** Matches an Accept-Encoding that contains gzip with a weight other than 0 (RFC 9110 §12.5.3). */
const ACCEPTS_GZIP = /(?:^|[,\s])gzip(?![^,]*;\s*q=0(?:\.0*)?\s*(?:,|$))\s*(?:[;,]|$)/i;

interface DocumentationPage {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly zipped: Uint8Array;
  /** Weak, since it is the same for both encodings. Equal for equal documents, also across restarts. */
  readonly entityTag: string;
  /** Replaces the content policy of API responses, which blocks styles. */
  readonly contentPolicy?: string;
}

/** Serves `/openapi.json` and `/docs`. Both are built on the first request, so that they do not delay the start. */
export function createDocumentationPages(settings: OpenApiSettings): RequestHandler {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  const document = memoize(() => buildDocument(settings));
  const asJson = memoize(async () => createPage('application/json; charset=utf-8', JSON.stringify(await document())));
  const asHtml = memoize(async () => ({
    ...(await createPage('text/html; charset=utf-8', renderDocumentationPage(await document()))),
    contentPolicy: documentationContentPolicy,
  }));
  addReadOnlyPage(pages, '/openapi.json', async (request, response) =>
    sendDocumentationPage(await asJson(), request, response),
  );
  addReadOnlyPage(pages, '/docs', async (request, response) =>
    sendDocumentationPage(await asHtml(), request, response),
  );
  return pages;
}

async function buildDocument(settings: OpenApiSettings): Promise<OpenApiDocument> {
  const steps = buildOpenApiInSteps(settings);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}

async function createPage(mediaType: string, text: string): Promise<DocumentationPage> {
  const bytes = Buffer.from(text);
  return { mediaType, bytes, zipped: await promisify(gzip)(bytes), entityTag: `W/${computeEntityTag({ text })}` };
}

function sendDocumentationPage(
  { mediaType, bytes, zipped, entityTag, contentPolicy: policy }: DocumentationPage,
  request: Request,
  response: Response,
): void {
  const isZipped = ACCEPTS_GZIP.test(headerValues(request.rawHeaders, 'accept-encoding').join(','));
  response.setHeader('ETag', entityTag);
  // Clients may cache the page but must revalidate it, which usually gives 304.
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Accept-Encoding');
  if (policy !== undefined) response.setHeader('Content-Security-Policy', policy);
  if (matchesEntityTag(headerValues(request.rawHeaders, 'if-none-match'), entityTag.slice(2)))
    return sendEmpty(response, 304);
  const content = isZipped ? zipped : bytes;
  response.statusCode = 200;
  response.setHeader('Content-Type', mediaType);
  if (isZipped) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', content.length);
  response.end(content);
}

function memoize<T>(compute: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => (cached ??= { value: compute() }).value;
}
