import type { Request, RequestHandler, Response } from 'express';
import { BinaryAnswer } from './binary-answer.js';
import type { Clients } from './clients.js';
import { OpenAnswer } from './open-answer.js';
import { whileAwaited, within } from './patience.js';
import { PictureAnswer } from './picture-answer.js';
import { presentedHeaders, type SessionChecks } from './portal/session-credentials.js';
import type { RateLimits } from './rate-limits.js';
import type { ApiPorts, Route } from './route.js';
import { Router } from './router.js';
import { sendAnswer, sendNothing, sendPieces } from './send.js';
import { admissionOf } from './steps/admission.js';
import { presentExisting } from './steps/existence.js';
import { identifyFrom, type GuardedChecks } from './steps/guarded-credentials.js';
import { readInput } from './steps/input.js';
import { findInstance } from './steps/instance.js';
import { admit } from './steps/membership.js';
import { readPath } from './steps/path.js';
import { spendCall } from './steps/rate.js';
import { requireRole } from './steps/role.js';
import { locate } from './steps/route.js';
import { requireVersion } from './steps/version.js';
import { TaggedAnswer } from './tagged-answer.js';
import { splitTarget } from './target.js';

export interface GateSettings extends GuardedChecks, SessionChecks {
  readonly clients: Clients;
  readonly routes: readonly Route[];
  readonly ports: ApiPorts;
  readonly rateLimits: RateLimits;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A question that takes longer is answered 503: no caller waits for ever for a store that hangs. */
  readonly answerTimeoutMs: number;
}

/** Answers every operation of the table; each refusal is thrown, and becomes a problem elsewhere. */
export function serveApi(settings: GateSettings): RequestHandler {
  const router = new Router(settings.routes);
  return async (request, response) => {
    const { status, body } = await answer(settings, router, request, response);
    if (body instanceof OpenAnswer) await within(settings.answerTimeoutMs, body.open(response));
    else if (body instanceof PictureAnswer) await body.send(request, response, (drawn) => within(settings.answerTimeoutMs, drawn));
    else if (body instanceof TaggedAnswer) await body.send(request, response, status);
    else if (body instanceof BinaryAnswer) await sendPieces(response, status, body);
    else if (status === 204) sendNothing(response, status);
    else await sendAnswer(response, status, body);
  };
}

interface Answer {
  readonly status: 200 | NonNullable<Route['status']>;
  readonly body: object;
}

/** The order is a promise to clients (contract, section 4): the first step that refuses decides what they are told. */
async function answer(settings: GateSettings, router: Router, request: Request, response: Response): Promise<Answer> {
  const { path, query } = splitTarget(request.originalUrl);
  const parameters = new URLSearchParams(query);
  const found = locate(router, request.method, path);
  requireVersion(parameters, request.rawHeaders);
  const { route } = found;
  const presented = await presentedHeaders(route, request, response, settings);
  const caller = await identifyFrom(settings.clients.of(request.socket, request.headers).address, presented, settings);
  const params = readPath(found);
  const nowMs = settings.now();
  const instance = await findInstance(settings.ports.usage, route, caller, params, nowMs);
  const seat = await admit(settings.access, caller, route.grid === 'path' ? params['gridSecondaryId'] : instance?.gridId, route);
  await spendCall(settings.rateLimits, seat);
  requireRole(route, seat);
  const input = await readInput(route, request, response, parameters, nowMs);
  const call = { principal: seat.principal, params, instance, ...input, admission: admissionOf(settings, route, presented, seat), nowMs };
  const timeoutMs = route.slow === true ? 2 * settings.answerTimeoutMs : settings.answerTimeoutMs;
  const result = await whileAwaited(response, timeoutMs, (signal) => route.run(settings.ports, { ...call, signal }));
  return { status: route.status ?? 200, body: presentExisting(route, result) };
}
