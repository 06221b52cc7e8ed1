import { Router as ExpressRouter } from 'express';
import type { Access } from '../../auth/access.js';
import type { PortalSession } from '../../auth/portal/session.js';
import type { PortalSessions } from '../../auth/portal/portal-sessions.js';
import type { VerifyBearer } from '../../auth/token-verifier.js';
import type { AdministrationQueries } from '../../queries/administration/questions.js';
import type { Clients } from '../clients.js';
import { requestIdOf } from '../correlation.js';
import { headerValues } from '../headers.js';
import { Problem, problemDocument } from '../problems/problem.js';
import { sendBytes, sendJson } from '../send.js';
import type { RefusedSignIns } from './refused-sign-ins.js';
import { onlyTakes } from './sign-in-pages.js';

/** No page of another origin can send it without being asked for permission first, which nobody gets. */
const OWN_HEADER = 'x-hindsight-portal';

export interface SessionPage {
  readonly publicUrl: string;
  /** Absent: nobody can sign in. */
  readonly sessions?: PortalSessions | undefined;
  readonly verifyBearer: VerifyBearer;
  readonly access: Pick<Access, 'role'>;
  readonly administration: Pick<AdministrationQueries, 'gridRecordsOf'>;
  readonly refusals: RefusedSignIns;
  readonly clients: Clients;
}

/** `/session`: who is signed in, with a token for the API; 401 with whether anybody can, who may without a password, and why the token does not count. */
export function sessionPage(settings: SessionPage): ExpressRouter {
  const { sessions, publicUrl, refusals, clients } = settings;
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  pages.route('/session').get(async (request, response) => {
    if (headerValues(request.rawHeaders, OWN_HEADER)[0] !== '1') throw new Problem('forbidden', 'Only the portal itself can ask for its session.');
    const { session, cookies } = (await sessions?.current(request.headers.cookie)) ?? { session: undefined, cookies: [] };
    response.appendHeader('Set-Cookie', cookies);
    const seen = session === undefined ? undefined : await presented(session, settings);
    if (seen?.answer !== undefined) return sendJson(response, 200, seen.answer);
    if (seen?.refused !== undefined) refusals.note('token', { requestId: requestIdOf(response), client: clients.of(request.socket, request.headers).address, reason: seen.refused });
    const problem = problemDocument(new Problem('unauthenticated', 'Nobody is signed in.'), publicUrl, '/portal/session');
    sendBytes(response, 401, 'application/problem+json', JSON.stringify({ ...problem, canSignIn: sessions !== undefined, users: sessions?.users ?? [], refused: seen?.refused }));
  }).all(onlyTakes('GET'));
  return pages;
}

interface Presented {
  readonly answer?: object;
  /** Why the token is not one that the API would take: without it one would sign in again and again. */
  readonly refused?: string;
}

/** Who the user is, the token says, as for every call. */
async function presented({ user, accessToken, accessEndsAt }: PortalSession, { verifyBearer, access, administration }: SessionPage): Promise<Presented> {
  const proof = await verifyBearer(accessToken);
  if (!proof.ok) return { refused: proof.detail };
  if (proof.principal.kind !== 'user') return { refused: 'The access token is that of an application.' };
  const { id } = proof.principal;
  const records = await administration.gridRecordsOf(id, 'user');
  const grids = await Promise.all(records.map(async ({ gridId, name, subscriptionActive }) => ({ gridSecondaryId: gridId, name, subscriptionActive, role: await access.role(gridId, id, 'user') })));
  return { answer: { user: { id, name: user.name }, grids: grids.filter(({ role }) => role !== undefined), accessToken, expiresAt: new Date(accessEndsAt).toISOString() } };
}
