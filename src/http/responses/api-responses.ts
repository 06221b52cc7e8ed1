import type { IncomingMessage, ServerResponse } from 'node:http';
import { computeEntityTag, matchesEntityTag } from '../requests/conditional-request.js';
import { headerValues } from '../requests/request-head.js';
import { sendBinary, sendEmpty, sendStreamedJson } from './send-response.js';
import { CREDENTIAL_HEADERS } from '../steps/authentication.js';

export interface ImageResponseOptions {
  /** Strong validator, quotes included: equal for equal bytes alone, and known before they are drawn. */
  readonly entityTag: string;
  /** Nothing that arrives can change it any more. */
  readonly isClosed: boolean;
  /** Such as `chart.png`: letters, digits, dots. */
  readonly fileName: string;
  /** A PNG. */
  readonly draw: () => Promise<Uint8Array>;
}

/** A day: as long as a picture of the past may be shown without a question. */
const CACHE_IMMUTABLE = 'private, max-age=86400, immutable';

/** May be kept, and is asked for each time: most answers are then 304. */
const CACHE_REVALIDATE = 'private, no-cache';

/** A picture that is drawn when its bytes are wanted: by a client that has it already, or asks for the head alone, they are not. */
export class ImageResponse {
  constructor(private readonly parts: ImageResponseOptions) {}

  /**
   * Answers 304 or 200. What drawing rejects with is answered as a problem, which no cache keeps.
   * @param within rejects when drawing takes too long
   */
  async send(
    request: IncomingMessage,
    response: ServerResponse,
    within: (drawn: Promise<Uint8Array>) => Promise<Uint8Array>,
  ): Promise<void> {
    if (matchesEntityTag(headerValues(request.rawHeaders, 'if-none-match'), this.parts.entityTag))
      return this.sendNotModified(response);
    const bytes = request.method === 'HEAD' ? undefined : await within(this.parts.draw());
    this.setCacheHeaders(response);
    response.setHeader('Content-Disposition', `inline; filename=${this.parts.fileName}`);
    if (bytes !== undefined) return sendBinary(response, 200, 'image/png', bytes);
    // RFC 9110 §9.3.2: of a head, the length of what was not made may be left out.
    response.setHeader('Content-Type', 'image/png');
    sendEmpty(response, 200);
  }

  private sendNotModified(response: ServerResponse): void {
    this.setCacheHeaders(response);
    sendEmpty(response, 304);
  }

  /** What RFC 9110 §15.4.5 wants in a 304 as well. Answers differ by who asks: another account of the same browser is asked about anew. */
  private setCacheHeaders(response: ServerResponse): void {
    response.setHeader('ETag', this.parts.entityTag);
    response.setHeader('Cache-Control', this.parts.isClosed ? CACHE_IMMUTABLE : CACHE_REVALIDATE);
    response.setHeader('Vary', CREDENTIAL_HEADERS.join(', '));
  }
}

/** A record that can be changed, with the tag by which its next change can say which one it knows. */
export class TaggedResponse {
  constructor(private readonly content: object) {}

  /** Answers 304 to who reads it and has it already. */
  async send(request: IncomingMessage, response: ServerResponse, status: number): Promise<void> {
    const entityTag = computeEntityTag(this.content);
    response.setHeader('ETag', entityTag);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && matchesEntityTag(headerValues(request.rawHeaders, 'if-none-match'), entityTag))
      return sendEmpty(response, 304);
    return sendStreamedJson(response, status, this.content);
  }
}

/** An answer that stays open: once every step has passed it takes the response over, and ends it when it ends. */
export class StreamingResponse {
  /**
   * @param open resolves once the first of it is written, or nobody is there any more. What it rejects with before that
   *   is answered as a problem, and so is an answer that took too long: then it MUST leave the response alone
   */
  constructor(readonly open: (response: ServerResponse) => Promise<void>) {}
}

/** An answer that is bytes of a media type, and no JSON. Nobody keeps it. */
export class BinaryResponse {
  /**
   * @param length bytes of all pieces together
   * @param pieces made one at a time, as fast as the client takes them: each MUST be a ms or two of work
   */
  constructor(
    readonly mediaType: string,
    readonly length: number,
    readonly pieces: Iterable<Uint8Array>,
  ) {}
}
