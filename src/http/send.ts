import type { ServerResponse } from 'node:http';

/** Ends the answer with this text. Not `response.send`: that one adds validators and may answer 304, and nothing here is to be cached. */
export function sendBytes(response: ServerResponse, status: number, mediaType: string, text: string): void {
  const bytes = Buffer.from(text);
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  sendBytes(response, status, 'application/json; charset=utf-8', JSON.stringify(value));
}
