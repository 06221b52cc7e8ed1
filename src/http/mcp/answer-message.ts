import type { IncomingHttpHeaders } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { toolServer, type ToolServing } from './tool-server.js';

export interface MessageAnswer {
  readonly status: number;
  readonly mediaType: string;
  /** "" for a message that has no answer. */
  readonly text: string;
}

/** What the transport of the SDK goes by. */
const READ_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/**
 * Answers one message by the SDK: server and transport live as long as it does. The transport is given what it needs in a
 * request of our own making: what else is in the request of the client does not concern it.
 */
export async function answerMessage(message: unknown, headers: IncomingHttpHeaders, serving: ToolServing): Promise<MessageAnswer> {
  const server = toolServer(serving);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const answer = await transport.handleRequest(requestWith(headers), { parsedBody: message });
    return { status: answer.status, mediaType: answer.headers.get('content-type') ?? 'application/json', text: await answer.text() };
  } finally {
    await server.close();
  }
}

function requestWith(headers: IncomingHttpHeaders): Request {
  const read = READ_HEADERS.flatMap((name): [string, string][] => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  return new Request('http://mcp.invalid/mcp', { method: 'POST', headers: read });
}
