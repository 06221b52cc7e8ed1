import type { IncomingMessage, ServerResponse } from 'node:http';
import { computeEntityTag, headerValues, matchesEntityTag } from '../requests/request-headers.js';
import { type ChunkedBody, sendBinary, sendEmpty, sendStreamedJson } from './send-response.js';
import { CREDENTIAL_HEADERS } from '../steps/authentication.js';

export interface ImageResponseOptions {
  /** Strong entity tag including quotes: equal only for equal bytes, and known before the image is rendered. */
  readonly entityTag: string;
  /** True if telemetry that arrives later cannot change the image. */
  readonly isClosed: boolean;
  /** Such as `chart.png`: letters, digits, dots. */
  readonly fileName: string;
  /** Renders the PNG. */
  readonly draw: () => Promise<Uint8Array>;
}

/** One day without revalidation, for images of past ranges. */
const CACHE_IMMUTABLE = 'private, max-age=86400, immutable';

/** May be cached but must be revalidated, which usually gives 304. */
const CACHE_REVALIDATE = 'private, no-cache';

/** An image that is rendered on demand: not for HEAD, and not if the client has it already. */
export class ImageResponse {
  constructor(private readonly options: ImageResponseOptions) {}

  /**
   * Sends 304 or 200. If rendering fails, the error is sent as a problem document without cache headers.
   * @param limitTime rejects if rendering takes too long
   */
  async send(
    request: IncomingMessage,
    response: ServerResponse,
    limitTime: (image: Promise<Uint8Array>) => Promise<Uint8Array>,
  ): Promise<void> {
    if (matchesEntityTag(headerValues(request.rawHeaders, 'if-none-match'), this.options.entityTag))
      return this.sendNotModified(response);
    const bytes = request.method === 'HEAD' ? undefined : await limitTime(this.options.draw());
    this.setCacheHeaders(response);
    response.setHeader('Content-Disposition', `inline; filename=${this.options.fileName}`);
    if (bytes !== undefined) return sendBinary(response, 200, 'image/png', bytes);
    // RFC 9110 §9.3.2: HEAD may omit the length of content that was not generated.
    response.setHeader('Content-Type', 'image/png');
    sendEmpty(response, 200);
  }

  private sendNotModified(response: ServerResponse): void {
    this.setCacheHeaders(response);
    sendEmpty(response, 304);
  }

  /** RFC 9110 §15.4.5 requires these headers in a 304, too. `Vary` keeps accounts that share a browser apart. */
  private setCacheHeaders(response: ServerResponse): void {
    response.setHeader('ETag', this.options.entityTag);
    response.setHeader('Cache-Control', this.options.isClosed ? CACHE_IMMUTABLE : CACHE_REVALIDATE);
    response.setHeader('Vary', CREDENTIAL_HEADERS.join(', '));
  }
}

/** A record with an ETag, which clients send as If-Match with their next change. */
export class TaggedResponse {
  constructor(private readonly content: object) {}

  /** Sends 304 if a client reads a record that it has already. */
  async send(request: IncomingMessage, response: ServerResponse, status: number): Promise<void> {
    const entityTag = computeEntityTag(this.content);
    response.setHeader('ETag', entityTag);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && matchesEntityTag(headerValues(request.rawHeaders, 'if-none-match'), entityTag))
      return sendEmpty(response, 304);
    return sendStreamedJson(response, status, this.content);
  }
}

/** A response that stays open. It takes over the Node response after all request steps have passed, and ends it. */
export class StreamingResponse {
  /**
   * @param open resolves when the first bytes are written or the client has disconnected. A rejection before that is sent as
   *   a problem document, and so is a timeout, after which `open` MUST NOT write to the response
   */
  constructor(readonly open: (response: ServerResponse) => Promise<void>) {}
}

/** A binary response body. Not cached. */
export class BinaryResponse implements ChunkedBody {
  /**
   * @param length total bytes of all chunks
   * @param chunks generated one at a time, as fast as the client reads them; each MUST take 1 or 2 ms at most
   */
  constructor(
    readonly mediaType: string,
    readonly length: number,
    readonly chunks: Iterable<Uint8Array>,
  ) {}
}
