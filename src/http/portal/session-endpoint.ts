import { Router as ExpressRouter } from 'express';
import type { AccessControl } from '../../auth/access-control.js';
import { findMemberRole } from '../../auth/member-role.js';
import type { PortalSession } from '../../auth/portal/portal-session.js';
import type { PortalSessions } from '../../auth/portal/portal-sessions.js';
import type { VerifyBearer } from '../../auth/tokens/token-verifier.js';
import type { AdministrationQueries } from '../../queries/administration/administration-query-types.js';
import type { ClientResolver } from '../connection/client-resolver.js';
import { listGridRecords } from '../steps/grids-of-member.js';
import { readRequestId } from '../steps/request-tracing.js';
import { headerValues } from '../requests/request-headers.js';
import { Problem, toProblemDocument } from '../problems/problem-details.js';
import { sendJson, sendText } from '../responses/send-response.js';
import type { SignInRefusalLog } from './sign-in-refusals.js';
import { createMethodNotAllowedHandler } from './sign-in-pages.js';

/** A custom header, which pages of other origins can only send after a CORS preflight, and that always fails. */
const PORTAL_HEADER = 'x-hindsight-portal';

export interface SessionEndpointSettings {
  readonly publicUrl: string;
  /** Absent if sign-in is not configured. */
  readonly sessions?: PortalSessions | undefined;
  readonly verifyBearer: VerifyBearer;
  readonly access: Pick<AccessControl, 'findRole'>;
  readonly administration: Pick<AdministrationQueries, 'gridRecordsForMember' | 'gridRecord'>;
  readonly refusals: SignInRefusalLog;
  readonly clients: ClientResolver;
}

/**
 * Serves `/session`: the signed-in user with an access token for the API. A 401 also states whether sign-in is configured
 * (`canSignIn`), the users who can sign in without a password (`users`), and why a token was rejected (`refused`).
 */
export function createSessionRouter(settings: SessionEndpointSettings): ExpressRouter {
  const { sessions, publicUrl, refusals, clients } = settings;
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  pages
    .route('/session')
    .get(async (request, response) => {
      if (headerValues(request.rawHeaders, PORTAL_HEADER)[0] !== '1')
        throw new Problem('forbidden', 'Only the portal can read its session.');
      const { session, cookies } = (await sessions?.readCurrent(request.headers.cookie)) ?? {
        session: undefined,
        cookies: [],
      };
      response.appendHeader('Set-Cookie', cookies);
      const description = session === undefined ? undefined : await describeSession(session, settings);
      if (description?.body !== undefined) return sendJson(response, 200, description.body);
      if (description?.refused !== undefined)
        refusals.record('token', {
          requestId: readRequestId(response),
          client: clients.resolve(request.socket, request.headers).address,
          reason: description.refused,
        });
      const problem = toProblemDocument(
        new Problem('unauthenticated', 'No user is signed in.'),
        publicUrl,
        '/portal/session',
      );
      sendText(
        response,
        401,
        'application/problem+json',
        JSON.stringify({
          ...problem,
          canSignIn: sessions !== undefined,
          users: sessions?.users ?? [],
          refused: description?.refused,
        }),
      );
    })
    .all(createMethodNotAllowedHandler('GET'));
  return pages;
}

interface SessionDescription {
  /** Response body for a valid session. */
  readonly body?: object;
  /** Why the API rejects the token. Shown to the user, since signing in again would not help. */
  readonly refused?: string;
}

/** Identifies the user by the access token, as for every API call. */
async function describeSession(
  { user, accessToken, accessEndsAt }: PortalSession,
  { verifyBearer, access, administration }: SessionEndpointSettings,
): Promise<SessionDescription> {
  const verified = await verifyBearer(accessToken);
  if (!verified.ok) return { refused: verified.detail };
  if (verified.principal.kind !== 'user')
    return { refused: 'The access token belongs to an application, not to a user.' };
  const { principal } = verified;
  const records = await listGridRecords(administration, principal);
  const grids = await Promise.all(
    records.map(async ({ gridId, name, subscriptionActive }) => ({
      gridSecondaryId: gridId,
      name,
      subscriptionActive,
      role: await findMemberRole(access, principal, gridId),
    })),
  );
  return {
    body: {
      user: { id: principal.id, name: user.name },
      grids: grids.filter(({ role }) => role !== undefined),
      accessToken,
      expiresAt: new Date(accessEndsAt).toISOString(),
    },
  };
}
