import { Router as ExpressRouter, type Request, type RequestHandler, type Response } from 'express';
import { TOOLS } from '../../assistant/tools/index.js';
import { offeredTool, type OfferedTool } from '../../assistant/offered-tool.js';
import { requestIdOf } from '../correlation.js';
import type { GateSettings } from '../gate.js';
import { Problem } from '../problems/problem.js';
import { sendBytes, sendNothing } from '../send.js';
import type { ServiceLog } from '../service-log.js';
import { readJson } from '../steps/body.js';
import { identifyFrom } from '../steps/guarded-credentials.js';
import { admit, permitted, type Admitted } from '../steps/membership.js';
import { spendCall } from '../steps/rate.js';
import { chosenGrid } from './chosen-grid.js';
import { requireOwnOrigin } from './own-origin.js';

export interface McpSettings extends Omit<GateSettings, 'routes'> {
  readonly publicUrl: string;
  readonly log: ServiceLog;
}

const OFFERED: readonly OfferedTool[] = TOOLS.map(offeredTool);

/**
 * The queries as tools of the Model Context Protocol, over streamable HTTP without sessions: each POST is one message, and
 * its answer one JSON document. Who calls and what is spent is as in the API; refusals before a message is read are problems.
 */
export function serveMcp(settings: McpSettings): RequestHandler {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  pages.route('/mcp').post((request, response) => answer(settings, request, response)).all(() => {
    // There are no streams to open by GET, and no sessions to DELETE.
    throw new Problem('method-not-allowed', 'This path takes POST.', { headers: { Allow: 'POST' } });
  });
  return pages;
}

async function answer(settings: McpSettings, request: Request, response: Response): Promise<void> {
  const { ports: { telemetry, diagnostics, charts, usage }, answerTimeoutMs, log } = settings;
  const { principal, grid } = await admittedTo(settings, request);
  const message = await readMessage(request, response);
  // The protocol's package takes a tenth of a second to load, which no start should wait for.
  const { answerMessage } = await import('./answer-message.js');
  const { status, mediaType, text } = await answerMessage(message, request.headers, {
    tools: OFFERED,
    context: { queries: { telemetry, diagnostics, charts, usage, alerts: diagnostics }, gridId: grid.gridId, userId: principal.id, nowMs: settings.now() },
    answerTimeoutMs,
    requestId: requestIdOf(response),
    log,
  });
  if (text === '') sendNothing(response, status);
  else sendBytes(response, status, mediaType, text);
}

async function admittedTo(settings: McpSettings, { rawHeaders, headers, socket }: Request): Promise<Required<Admitted>> {
  requireOwnOrigin(rawHeaders, settings.publicUrl);
  const caller = await identifyFrom(settings.clients.of(socket, headers).address, rawHeaders, settings);
  const gridId = await chosenGrid(settings.ports.usage, permitted(caller), rawHeaders);
  const { principal, grid } = await admit(settings.access, caller, gridId);
  if (grid === undefined) throw new TypeError('A Grid was chosen, and nobody has been let into it');
  await spendCall(settings.rateLimits, { principal, grid });
  return { principal, grid };
}

/** One message a request, as the protocol has it since 2025-06-18: a batch would be many calls for the price of one. */
async function readMessage(request: Request, response: Response): Promise<unknown> {
  const message = await readJson(request, response);
  if (Array.isArray(message)) throw new Problem('invalid-request', 'A request holds one message: batches are not taken.');
  return message;
}
