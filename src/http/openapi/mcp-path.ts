import type { SignInPlace } from '../service-pages.js';
import type { Components } from './components.js';
import type { PathItem } from './document.js';
import { HEADERS } from './headers.js';
import { problemResponse, problemResponses } from './problem-responses.js';
import { securityOf } from './security.js';

const message = { type: 'object', required: ['jsonrpc'], properties: { jsonrpc: { const: '2.0' } } };
const requestId = { 'X-Request-Id': HEADERS['X-Request-Id'] };

const DESCRIPTION = [
  'Streamable HTTP of the Model Context Protocol, without sessions: one message a request, and its answer one JSON document.',
  'Needs credentials but no version. A caller with several Grids names one in the header X-Grid-Id. Every member of the Grid may call it.',
].join('\n\n');

/** The queries as tools for agents: JSON-RPC, which has its own errors. */
export function mcpPath(signIn: SignInPlace | undefined, components: Components): PathItem {
  return {
    post: {
      operationId: 'callTools', tags: ['Agents'], summary: 'Send a message of the Model Context Protocol', description: DESCRIPTION,
      parameters: [{ name: 'X-Grid-Id', in: 'header', required: false, description: 'Id of the Grid that the tools look at; not needed where there is only one.', schema: { type: 'string', format: 'uuid' } }],
      requestBody: { required: true, content: { 'application/json': { schema: message, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } } } },
      responses: {
        400: refused(components),
        200: { description: 'The answer to the message.', headers: requestId, content: { 'application/json': { schema: message, example: { jsonrpc: '2.0', id: 1, result: { tools: [] } } } } },
        202: { description: 'The message was taken and has no answer.', headers: requestId },
        406: { description: 'The client takes no JSON. Told as JSON-RPC does.', headers: requestId, content: { 'application/json': { schema: message } } },
        ...problemResponses([
          'unauthenticated', 'forbidden', 'subscription-inactive', 'too-large', 'unsupported-media-type', 'request-timeout', 'rate-limited',
          'headers-too-large', 'internal-error', 'overloaded', 'unavailable',
        ], components),
      },
      security: securityOf({}, signIn),
    },
  };
}

/** Before a message is read faults are problems; those of the message itself are told as JSON-RPC does. */
function refused(components: Components): object {
  const problem = problemResponse(400, ['invalid-request', 'malformed-json'], components);
  return { ...problem, description: 'A fault of the request, or of the message in it.', content: { ...problem.content, 'application/json': { schema: message } } };
}
