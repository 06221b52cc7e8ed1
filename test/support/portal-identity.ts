import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createDevelopmentIdentityProvider,
  type DevelopmentIdentityProvider,
} from '../../src/auth/development/development-identity-provider.js';
import { EndedSessions } from '../../src/auth/portal/ended-sessions.js';
import { toSignInRequest } from '../../src/auth/login/sign-in-request.js';
import { PortalSessions } from '../../src/auth/portal/portal-sessions.js';
import { deriveSessionKey } from '../../src/auth/portal/session-encryption.js';
import { createTokenVerifier, type VerifyBearer } from '../../src/auth/tokens/token-verifier.js';

/** Session state of one process. */
interface Sessions {
  readonly sessions: PortalSessions;
  readonly verifyBearer: VerifyBearer;
}

/** The sign-in parts of an app with the development identity provider. */
export interface PortalIdentity extends Sessions {
  readonly identity: DevelopmentIdentityProvider;
  /** Sessions of another process with the same identity provider. */
  beside(ended: EndedSessions): Sessions;
  readonly identityProvider: RequestListener;
  /** Advances the clock of sessions, but not those of the issuer and the verifier. */
  readonly clock: { nowMs: number };
  /** Requested grants by type. */
  readonly grants: string[];
  /** True: the issuer is unavailable. */
  readonly away: { now: boolean };
  /** Overrides the reported lifetime of access tokens. */
  readonly life: { seconds: number | undefined };
  dispose(): Promise<void>;
}

/** @param endSession end-session endpoint that the issuer advertises */
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
  // On a machine that is busy with other work, even a provider in the same process takes its time.
  const provider = { issuer: identity.issuer, clientId: identity.portalClientId, fetch, timeoutMs: 300_000 };
  const beside = (ended: EndedSessions): Sessions => ({
    sessions: new PortalSessions({
      publicUrl,
      provider,
      request: toSignInRequest([identity.scope], undefined),
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
    ...beside(createLocalEndedSessions(now)),
    clock,
    grants,
    away,
    life,
    identityProvider: (request, response) => identity.handler(request, response, () => response.writeHead(404).end()),
    dispose: () => rm(dataDir, { recursive: true }),
  };
}

/** Ended sessions of a process without an event log. */
export function createLocalEndedSessions(now: () => number): EndedSessions {
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
