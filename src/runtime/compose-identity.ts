import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  createDevelopmentIdentityProvider,
  type DevelopmentIdentityProvider,
} from '../auth/development/development-identity-provider.js';
import { EndedSessions } from '../auth/portal/ended-sessions.js';
import { matchAddressSpellings } from '../auth/address-spellings.js';
import { EventLogAccessControl } from '../auth/event-log-access-control.js';
import { PortalSessions } from '../auth/portal/portal-sessions.js';
import { createFileSessionKey, deriveSessionKey } from '../auth/portal/session-encryption.js';
import { toSignInRequest } from '../auth/login/sign-in-request.js';
import { TokenMembers } from '../auth/token-members.js';
import { createSignOutRecorder } from '../commands/portal-sessions/sign-out-recorder.js';
import { createTokenMembershipRecorder } from '../commands/portal-sessions/token-membership-recorder.js';
import type { Settings } from '../config/settings.js';
import { hasIdentityProvider } from '../config/sign-in-settings.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { EventStore } from '../streams/event-store.js';
import { AccessLogFollower } from './access-log-follower.js';
import { isLogEmbedded } from './engines/engine-settings.js';
import { createBearerVerifier, resolveTokenIssuer } from './identity-provider.js';
import { PARTS, type RegisterPart, type ServiceParts } from './service-parts.js';

/** Registers access control, token verification, portal sessions and, in development, the embedded identity provider. */
export function registerIdentity(register: RegisterPart, settings: Settings, log: Logger): void {
  register(
    PARTS.access,
    (parts) =>
      new EventLogAccessControl(parts.resolve(PARTS.accessLog), {
        retentionDays: settings.retentionDays,
        usageListener: parts.resolve(PARTS.keyUsage),
        // The API needs the read models anyway. Ingestion must not wait for them: without the log it cannot append either.
        readModels: settings.roles.has('api') ? parts.resolve(PARTS.accessThread).api : undefined,
      }),
  );
  register(
    PARTS.accessLog,
    (parts) =>
      new AccessLogFollower({
        log: parts.resolve(PARTS.eventStore),
        isShared: !isLogEmbedded(settings),
        // An embedded log finds the events of Grids by an index.
        readSnapshot: isLogEmbedded(settings)
          ? undefined
          : () => parts.resolve(PARTS.accessThread).api.accessSnapshot(),
        onChange: () => parts.resolve(PARTS.live).recheckAccess(),
        logger: log,
        timeoutMs: settings.storeTimeoutMs,
      }),
  );
  register(PARTS.developmentIdentity, () => openDevelopmentIdentity(settings, log));
  register(PARTS.endedSessions, (parts) =>
    createEndedSessions(parts.resolve(PARTS.eventStore), () => parts.resolve(PARTS.live).recheckAccess(), log),
  );
  register(
    PARTS.tokenMembers,
    (parts) =>
      new TokenMembers({
        record: createTokenMembershipRecorder({ log: parts.resolve(PARTS.eventStore), newId: randomUUID }),
        now: Date.now,
      }),
  );
  register(PARTS.verifyBearer, (parts) => {
    const { records } = parts.resolve(PARTS.accessLog);
    const verify = createBearerVerifier(
      settings,
      log,
      parts.resolve(PARTS.developmentIdentity),
      parts.resolve(PARTS.tokenMembers),
    );
    return parts
      .resolve(PARTS.endedSessions)
      .rejectEnded(matchAddressSpellings(verify, (address) => records.findSpellings(address)));
  });
  register(PARTS.portalSessions, (parts) =>
    createPortalSessions(settings, parts.resolve(PARTS.developmentIdentity), parts.resolve(PARTS.endedSessions)),
  );
}

/**
 * Starts to read Grids, API keys and members from the event log, in processes that ingest or serve the API. Resolves,
 * once they are read or after STORE_TIMEOUT, to a function that stops it.
 */
export async function startAccessLog({
  settings: { roles },
  feed,
  accessLog,
}: Pick<ServiceParts, 'settings' | 'feed' | 'accessLog'>): Promise<() => void> {
  if (!roles.has('ingest') && !roles.has('api')) return () => undefined;
  const abort = new AbortController();
  // Another process has changed access rights: this is known earlier than by the next poll, which reports a failure.
  const hints = feed.hints.subscribe((hint) => {
    if (hint.topic === 'projected' && hint.projection === 'access') accessLog.refresh().catch(() => undefined);
  });
  await accessLog.start(abort.signal);
  return () => {
    hints.unsubscribe();
    abort.abort();
  };
}

function createEndedSessions(eventStore: EventStore, onEnded: () => void, log: Logger): EndedSessions {
  const record = createSignOutRecorder({ log: eventStore, newId: randomUUID });
  const onUnrecorded = (error: unknown): void =>
    log.error('Cannot append a sign-out to the event log; only this process rejects the session until it succeeds', {
      error,
    });
  return new EndedSessions({ record, onUnrecorded, onEnded, now: Date.now });
}

/** Undefined without an issuer: the portal then offers no sign-in. */
function createPortalSessions(
  settings: Settings,
  development: DevelopmentIdentityProvider | undefined,
  ended: EndedSessions,
): PortalSessions | undefined {
  const tokenIssuer = resolveTokenIssuer(settings, development);
  if (tokenIssuer === undefined) return undefined;
  const { publicUrl, dataDir, portalClientId, portalClientSecret, portalSessionSecret, portalSignOut } = settings;
  const client =
    development === undefined
      ? { clientId: portalClientId, clientSecret: portalClientSecret?.reveal() }
      : { clientId: development.portalClientId, fetch: development.fetch };
  const key =
    portalSessionSecret === undefined
      ? createFileSessionKey(join(dataDir, 'portal-session-key'))
      : deriveSessionKey(portalSessionSecret.reveal());
  return new PortalSessions({
    publicUrl,
    provider: { issuer: tokenIssuer.issuer, ...client },
    request: toSignInRequest(tokenIssuer.scope.split(' '), tokenIssuer.login),
    key,
    users: development?.users ?? [],
    ended,
    signsOutAtProvider: portalSignOut === 'provider',
    now: Date.now,
  });
}

/** Undefined in production, and wherever an identity provider is configured. */
function openDevelopmentIdentity(settings: Settings, log: Logger): DevelopmentIdentityProvider | undefined {
  if (hasIdentityProvider(settings) || settings.production) return undefined;
  const {
    publicUrl,
    dataDir,
    authTenantId: tenantId,
    authAudience: audience,
    authAppPermission: appPermission,
  } = settings;
  return createDevelopmentIdentityProvider({
    publicUrl,
    tenantId,
    audience,
    dataDir,
    appPermission,
    onError: (error) => log.error('Development identity provider failed', { error }),
  });
}
