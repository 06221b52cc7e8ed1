import { Router as ExpressRouter, type Request, type RequestHandler, type Response } from 'express';
import { TOOLS } from '../../assistant/tools/tool-registry.js';
import { createExternalTool, type ExternalTool } from '../../assistant/external-tool.js';
import { type HttpLog, readRequestId } from '../steps/request-tracing.js';
import type { ApiHandlerSettings } from '../api-handler.js';
import { Problem } from '../problems/problem-details.js';
import { sendEmpty, sendText } from '../responses/send-response.js';
import { readJson } from '../steps/request-body.js';
import { authenticateGuarded } from '../steps/authentication.js';
import { type AuthorizedCaller, authorizeGridAccess, requirePermission } from '../steps/authorization.js';
import { enforceRateLimit } from '../limits/rate-limiter.js';
import { requireSameOrigin } from '../steps/same-origin.js';
import type { Principal } from '../../auth/principal.js';
import type { NamedGrid, UsageQueries } from '../../queries/usage/usage-query-types.js';
import { headerValues } from '../requests/request-head.js';
import { parseUuid } from '../requests/parse-values.js';

export interface McpSettings extends Omit<ApiHandlerSettings, 'routes'> {
  readonly publicUrl: string;
  readonly log: HttpLog;
}

const EXTERNAL_TOOLS: readonly ExternalTool[] = TOOLS.map(createExternalTool);

/**
 * The queries as tools of the Model Context Protocol, over streamable HTTP without sessions: each POST is one message, and
 * its answer one JSON document. Who calls and what is spent is as in the API; refusals before a message is read are problems.
 */
export function createMcpHandler(settings: McpSettings): RequestHandler {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  pages
    .route('/mcp')
    .post((request, response) => handleMessage(settings, request, response))
    .all(() => {
      // There are no streams to open by GET, and no sessions to DELETE.
      throw new Problem('method-not-allowed', 'This path takes POST.', { headers: { Allow: 'POST' } });
    });
  return pages;
}

async function handleMessage(settings: McpSettings, request: Request, response: Response): Promise<void> {
  const {
    ports: { telemetry, diagnostics, charts, usage },
    answerTimeoutMs,
    log,
  } = settings;
  const { principal, grid } = await authorizeCaller(settings, request);
  const message = await readMessage(request, response);
  // The protocol's package takes a tenth of a second to load, which no start should wait for.
  const { answerMessage } = await import('./mcp-tool-server.js');
  const { status, mediaType, text } = await answerMessage(message, request.headers, {
    tools: EXTERNAL_TOOLS,
    context: {
      queries: { telemetry, diagnostics, charts, usage, alerts: diagnostics },
      gridId: grid.gridId,
      userId: principal.id,
      nowMs: settings.now(),
    },
    answerTimeoutMs,
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
  const caller = await authenticateGuarded(settings.clients.resolve(socket, headers).address, rawHeaders, settings);
  const gridId = await resolveGridId(settings.ports.usage, requirePermission(caller), rawHeaders);
  const { principal, grid } = await authorizeGridAccess(settings.access, caller, gridId);
  if (grid === undefined) throw new TypeError('A Grid was chosen, and nobody has been let into it');
  await enforceRateLimit(settings.rateLimits, { principal, grid });
  return { principal, grid };
}

/** One message a request, as the protocol has it since 2025-06-18: a batch would be many calls for the price of one. */
async function readMessage(request: Request, response: Response): Promise<unknown> {
  const message = await readJson(request, response);
  if (Array.isArray(message))
    throw new Problem('invalid-request', 'A request holds one message: batches are not taken.');
  return message;
}

const GRID_ID_HEADER = 'x-grid-id';

/**
 * The Grid that a caller's tools look at: named in a header, which agents do not write, or else the only one there is. A
 * membership is not checked here. Throws 400 where the header is no UUID, or is missing and there are several.
 */
async function resolveGridId(
  usage: Pick<UsageQueries, 'gridsForMember'>,
  principal: Principal,
  rawHeaders: readonly string[],
): Promise<string> {
  const named = headerValues(rawHeaders, GRID_ID_HEADER);
  if (named.length > 0) return parseGridId(named);
  if (principal.kind === 'key') return principal.gridId;
  const own = await usage.gridsForMember(principal.id, principal.kind);
  if (own.length === 0) throw new Problem('forbidden', 'The caller is a member of no Grid.');
  return selectOnlyGrid(own).gridId;
}

function parseGridId(named: readonly string[]): string {
  const uuid = named.length === 1 ? parseUuid(named[0] ?? '') : undefined;
  return uuid ?? throwInvalidHeader('must be one UUID');
}

/** A Grid without a subscription is nobody's choice as long as there is another. */
function selectOnlyGrid(own: readonly NamedGrid[]): NamedGrid {
  const active = own.filter(({ subscriptionActive }) => subscriptionActive);
  const candidates = active.length > 0 ? active : own;
  return candidates.length === 1
    ? candidates[0]
    : throwInvalidHeader('must name one of the Grids that the caller is a member of');
}

function throwInvalidHeader(message: string): never {
  throw new Problem('invalid-request', `The header ${GRID_ID_HEADER} ${message}.`, {
    errors: [{ field: GRID_ID_HEADER, message: `${GRID_ID_HEADER} ${message}` }],
  });
}
