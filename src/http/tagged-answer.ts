import type { IncomingMessage, ServerResponse } from 'node:http';
import { entityTagOf, namesEntity } from './entity-tag.js';
import { headerValues } from './headers.js';
import { sendAnswer, sendNothing } from './send.js';

/** A record that can be changed, with the tag by which its next change can say which one it knows. */
export class TaggedAnswer {
  constructor(private readonly content: object) {}

  /** Answers 304 to who reads it and has it already. */
  async send(request: IncomingMessage, response: ServerResponse, status: number): Promise<void> {
    const entityTag = entityTagOf(this.content);
    response.setHeader('ETag', entityTag);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && namesEntity(headerValues(request.rawHeaders, 'if-none-match'), entityTag)) return sendNothing(response, 304);
    return sendAnswer(response, status, this.content);
  }
}
