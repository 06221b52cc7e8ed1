import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createDevelopmentIdentityProvider,
  type DevelopmentIdentityProvider,
} from '../../src/auth/development/development-identity-provider.js';
import { EndedSessions } from '../../src/auth/portal/ended-sessions.js';
import { PortalSessions } from '../../src/auth/portal/portal-sessions.js';
import { deriveSessionKey } from '../../src/auth/portal/session-encryption.js';
import { createTokenVerifier, type VerifyBearer } from '../../src/auth/tokens/token-verifier.js';

/** What one process has of sessions. */
interface Sessions {
  readonly sessions: PortalSessions;
  readonly verifyBearer: VerifyBearer;
}

/** The parts of an app that sign users in to the portal, on the development identity provider. */
export interface PortalIdentity extends Sessions {
  readonly identity: DevelopmentIdentityProvider;
  /** The same in another process, at the same identity provider. */
  beside(ended: EndedSessions): Sessions;
  readonly identityProvider: RequestListener;
  /** Moves the clock of sessions; those of the issuer and of the verifier go on by themselves. */
  readonly clock: { nowMs: number };
  /** Grants that were asked for, by type. */
  readonly grants: string[];
  /** While true, the issuer cannot be asked. */
  readonly away: { now: boolean };
  /** What the issuer says of the life of access tokens; undefined: as it is. */
  readonly life: { seconds: number | undefined };
  dispose(): Promise<void>;
}

/** @param endSession an endpoint of the issuer where sessions end, which it then has, and which is used */
export async function portalIdentity(
  publicUrl: string,
  secret = 'a secret of more than thirty-two characters',
  endSession?: string,
): Promise<PortalIdentity> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-portal-'));
  const tenant = { tenantId: 'dev', audience: 'api://iapm-api', appPermission: 'Grid.Access' };
  const identity = createDevelopmentIdentityProvider({ publicUrl, ...tenant, dataDir, onError: () => undefined });
  const clock = { nowMs: Date.now() };
  const now = (): number => clock.nowMs;
  const [grants, away, life]: [string[], PortalIdentity['away'], PortalIdentity['life']] = [
    [],
    { now: false },
    { seconds: undefined },
  ];
  const fetch: DevelopmentIdentityProvider['fetch'] = async (url, options) => {
    if (away.now) throw new TypeError('fetch failed');
    if (!(options.body instanceof URLSearchParams))
      return url.endsWith('/openid-configuration')
        ? withEndSession(await identity.fetch(url, options), endSession)
        : identity.fetch(url, options);
    grants.push(options.body.get('grant_type') ?? 'none');
    return withLife(await identity.fetch(url, options), life.seconds);
  };
  const provider = { issuer: identity.issuer, clientId: identity.portalClientId, fetch };
  const beside = (ended: EndedSessions): Sessions => ({
    sessions: new PortalSessions({
      publicUrl,
      provider,
      scope: identity.scope,
      key: deriveSessionKey(secret),
      users: identity.users,
      ended,
      signsOutAtProvider: endSession !== undefined,
      now,
    }),
    verifyBearer: ended.rejectEnded(
      createTokenVerifier({
        issuer: identity.issuer,
        ...tenant,
        fetchKeys: () => identity.jwks(),
        onRefreshFailure: () => undefined,
      }),
    ),
  });
  return {
    identity,
    beside,
    ...beside(endedHere(now)),
    clock,
    grants,
    away,
    life,
    identityProvider: (request, response) => identity.handler(request, response, () => response.writeHead(404).end()),
    dispose: () => rm(dataDir, { recursive: true }),
  };
}

/** Sign-outs of a process that has no log. */
export function endedHere(now: () => number): EndedSessions {
  const ended = new EndedSessions({
    record: async () => undefined,
    onUnrecorded: () => undefined,
    onEnded: () => undefined,
    now,
  });
  ended.markCaughtUp();
  return ended;
}

async function withEndSession(answer: Response, endSession: string | undefined): Promise<Response> {
  if (endSession === undefined) return answer;
  return Response.json({ ...((await answer.json()) as object), end_session_endpoint: endSession });
}

async function withLife(answer: Response, seconds: number | undefined): Promise<Response> {
  if (seconds === undefined || !answer.ok) return answer;
  return Response.json({ ...((await answer.json()) as object), expires_in: seconds });
}
