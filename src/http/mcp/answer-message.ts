import type { IncomingHttpHeaders } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { toolServer, type ToolServing } from './tool-server.js';

export interface MessageAnswer {
  readonly status: number;
  readonly mediaType: string;
  /** "" for a message that has no answer. */
  readonly text: string;
}

/** What the protocol has clients accept: the transport refuses whoever does not say both, though it only ever answers JSON here. */
const BOTH = 'application/json, text/event-stream';
const TAKES_JSON = /(?:^|[,\s])(?:application\/json|application\/\*|\*\/\*)/i;

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

function requestWith({ accept = BOTH, 'mcp-protocol-version': version }: IncomingHttpHeaders): Request {
  const headers = { 'accept': TAKES_JSON.test(accept) ? BOTH : accept, 'content-type': 'application/json', ...(version !== undefined && { 'mcp-protocol-version': String(version) }) };
  return new Request('http://mcp.invalid/mcp', { method: 'POST', headers });
}
