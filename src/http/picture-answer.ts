import type { IncomingMessage, ServerResponse } from 'node:http';
import { namesEntity } from './entity-tag.js';
import { headerValues } from './headers.js';
import { sendBinary, sendNothing } from './send.js';
import { CREDENTIAL_HEADERS } from './steps/credentials.js';

export interface PictureParts {
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
const CLOSED = 'private, max-age=86400, immutable';
/** May be kept, and is asked for each time: most answers are then 304. */
const OPEN = 'private, no-cache';

/** A picture that is drawn when its bytes are wanted: by a client that has it already, or asks for the head alone, they are not. */
export class PictureAnswer {
  constructor(private readonly parts: PictureParts) {}

  /**
   * Answers 304 or 200. What drawing rejects with is answered as a problem, which no cache keeps.
   * @param within rejects when drawing takes too long
   */
  async send(request: IncomingMessage, response: ServerResponse, within: (drawn: Promise<Uint8Array>) => Promise<Uint8Array>): Promise<void> {
    if (namesEntity(headerValues(request.rawHeaders, 'if-none-match'), this.parts.entityTag)) return this.sendUnchanged(response);
    const bytes = request.method === 'HEAD' ? undefined : await within(this.parts.draw());
    this.describe(response);
    response.setHeader('Content-Disposition', `inline; filename=${this.parts.fileName}`);
    if (bytes !== undefined) return sendBinary(response, 200, 'image/png', bytes);
    // RFC 9110 §9.3.2: of a head, the length of what was not made may be left out.
    response.setHeader('Content-Type', 'image/png');
    sendNothing(response, 200);
  }

  private sendUnchanged(response: ServerResponse): void {
    this.describe(response);
    sendNothing(response, 304);
  }

  /** What RFC 9110 §15.4.5 wants in a 304 as well. Answers differ by who asks: another account of the same browser is asked about anew. */
  private describe(response: ServerResponse): void {
    response.setHeader('ETag', this.parts.entityTag);
    response.setHeader('Cache-Control', this.parts.isClosed ? CLOSED : OPEN);
    response.setHeader('Vary', CREDENTIAL_HEADERS.join(', '));
  }
}
