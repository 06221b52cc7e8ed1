import { Router as ExpressRouter, type Request, type RequestHandler, type Response } from 'express';
import { TOOLS } from '../../assistant/tools/tool-registry.js';
import { createExternalTool, type ExternalTool } from '../../assistant/external-tool.js';
import { type HttpLog, readRequestId } from '../steps/request-tracing.js';
import { MCP_METADATA_PATH, type TokenIssuer } from '../api/operational-pages.js';
import type { ApiHandlerSettings } from '../api-handler.js';
import { Problem } from '../problems/problem-details.js';
import { sendEmpty, sendText } from '../responses/send-response.js';
import { readJson } from '../steps/request-body.js';
import { requireKnownNames, requireNoParameters } from '../steps/request-input.js';
import { authenticateGuarded } from '../steps/authentication.js';
import {
  type AuthorizedCaller,
  authorizeGridAccess,
  mayAdminister,
  requirePermission,
} from '../steps/authorization.js';
import { enforceRateLimit } from '../limits/rate-limiter.js';
import { listNamedGrids } from '../steps/grids-of-member.js';
import { requireSameOrigin } from '../steps/same-origin.js';
import { findQuotaOwner, type Principal } from '../../auth/principal.js';
import type { NamedGrid, UsageQueries } from '../../queries/usage/usage-query-types.js';
import { headerValues, splitTarget } from '../requests/request-headers.js';
import { parseUuid } from '../requests/request-parser.js';

export interface McpSettings extends Omit<ApiHandlerSettings, 'routes'> {
  readonly publicUrl: string;
  readonly log: HttpLog;
  /** Absent if only API keys are accepted. */
  readonly signIn?: TokenIssuer;
}

const EXTERNAL_TOOLS: readonly ExternalTool[] = TOOLS.map(createExternalTool);

/**
 * Serves the queries as Model Context Protocol tools, over streamable HTTP without sessions: each POST is one message,
 * answered with one JSON document. Authentication, authorization and rate limits are those of the API. Errors before the
 * message is read are problem documents.
 */
export function createMcpHandler(settings: McpSettings): RequestHandler {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  pages
    .route('/mcp')
    .post((request, response) => handleMessage(settings, request, response))
    .all(() => {
      // Without sessions, GET (streams) and DELETE (sessions) have no meaning.
      throw new Problem('method-not-allowed', 'This path supports only POST.', { headers: { Allow: 'POST' } });
    });
  return pages;
}

async function handleMessage(settings: McpSettings, request: Request, response: Response): Promise<void> {
  const {
    ports: { telemetry, diagnostics, charts, usage, incidents, slos, notifications },
    responseTimeoutMs,
    log,
  } = settings;
  const caller = await authorizeCaller(settings, request);
  requireNoParameters(new URLSearchParams(splitTarget(request.originalUrl).query));
  const message = await readMessage(request, response);
  // Loaded on demand: the SDK takes 100 ms to load, which would delay the start.
  const { answerMessage } = await import('./mcp-tool-server.js');
  const { status, mediaType, text } = await answerMessage(message, request.headers, {
    tools: EXTERNAL_TOOLS,
    context: {
      queries: { telemetry, diagnostics, charts, usage, incidents, alerts: diagnostics, slos, notifications },
      gridId: caller.grid.gridId,
      userId: findQuotaOwner(caller.principal),
      mayAdminister: mayAdminister(caller),
      nowMs: settings.now(),
    },
    responseTimeoutMs,
    requestId: readRequestId(response),
    log,
  });
  if (text === '') sendEmpty(response, status);
  else sendText(response, status, mediaType, text);
}

async function authorizeCaller(
  settings: McpSettings,
  { rawHeaders, headers, socket }: Request,
): Promise<Required<AuthorizedCaller>> {
  requireSameOrigin(rawHeaders, settings.publicUrl);
  const { address } = settings.clients.resolve(socket, headers);
  const caller = await authenticateGuarded({ address, connection: socket }, rawHeaders, settings).catch(
    (error: unknown) => throwWithMetadata(error, settings),
  );
  const gridId = await resolveGridId(settings.ports.usage, requirePermission(caller), rawHeaders);
  const { principal, grid } = await authorizeGridAccess(settings.access, caller, gridId);
  if (grid === undefined) throw new TypeError('Access to a Grid was granted without the Grid');
  await enforceRateLimit(settings.rateLimits, { principal, grid });
  return { principal, grid };
}

/**
 * Adds the address of the metadata to a challenge (RFC 9728 §5.1), with which agents find the identity provider and sign
 * their user in.
 */
function throwWithMetadata(error: unknown, { signIn, publicUrl }: McpSettings): never {
  const challenge = error instanceof Problem ? error.headers['WWW-Authenticate'] : undefined;
  if (!(error instanceof Problem) || challenge === undefined || signIn === undefined) throw error;
  const { slug, detail, headers } = error;
  const withMetadata = `${challenge}, resource_metadata="${publicUrl}${MCP_METADATA_PATH}"`;
  throw new Problem(slug, detail, { headers: { ...headers, 'WWW-Authenticate': withMetadata } });
}

/** Of requests, notifications and responses in JSON-RPC 2.0. What `params` may hold depends on the version of MCP. */
const MESSAGE_FIELDS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/** One message per request, as in the protocol since 2025-06-18. A batch would count as one call in the rate limit. */
async function readMessage(request: Request, response: Response): Promise<unknown> {
  const message = await readJson(request, response);
  if (Array.isArray(message))
    throw new Problem('invalid-request', 'Send one message per request. Batches are not supported.');
  const fields = typeof message === 'object' && message !== null ? Object.keys(message) : [];
  requireKnownNames(fields, MESSAGE_FIELDS);
  return message;
}

const GRID_ID_HEADER = 'x-grid-id';

/**
 * The Grid that the tools query: the one in the header, which is configured in the client and not chosen by the agent, or
 * the only Grid of the caller. Does not check the membership. Throws 400 if the header is not a UUID, or if it is missing
 * and the caller has several Grids.
 */
async function resolveGridId(
  usage: Pick<UsageQueries, 'gridsForMember' | 'namedGrid'>,
  principal: Principal,
  rawHeaders: readonly string[],
): Promise<string> {
  const sent = headerValues(rawHeaders, GRID_ID_HEADER);
  if (sent.length > 0) return parseGridId(sent);
  if (principal.kind === 'key') return principal.gridId;
  const grids = await listNamedGrids(usage, principal);
  if (grids.length === 0) throw new Problem('forbidden', 'The caller is not a member of any Grid.');
  return selectOnlyGrid(grids).gridId;
}

function parseGridId(sent: readonly string[]): string {
  const uuid = sent.length === 1 ? parseUuid(sent[0] ?? '') : undefined;
  return uuid ?? throwInvalidHeader('must be a single UUID');
}

/** Prefers Grids with an active subscription. */
function selectOnlyGrid(grids: readonly NamedGrid[]): NamedGrid {
  const active = grids.filter(({ subscriptionActive }) => subscriptionActive);
  const candidates = active.length > 0 ? active : grids;
  return candidates.length === 1
    ? candidates[0]
    : throwInvalidHeader('must contain the id of a Grid that the caller is a member of');
}

function throwInvalidHeader(message: string): never {
  throw new Problem('invalid-request', `The header ${GRID_ID_HEADER} ${message}.`, {
    errors: [{ field: GRID_ID_HEADER, message: `${GRID_ID_HEADER} ${message}` }],
  });
}
