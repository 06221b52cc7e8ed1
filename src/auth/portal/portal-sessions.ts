import { buildEndSessionUrl, tokenRevocation, type Configuration } from 'openid-client';
import { HindsightError } from '../../errors.js';
import { parseCookies, CookieWriter, MAX_TEXT_CHARS, type Cookies } from './cookie-writer.js';
import type { SignInRequest } from '../login/sign-in-request.js';
import type { EndedSessions } from './ended-sessions.js';
import {
  beginSignIn,
  createProviderDiscovery,
  finishSignIn,
  isStartedSignIn,
  PORTAL_SIGN_IN_TIMEOUT_MS,
  type ProviderOptions,
  SIGN_IN_COOKIE_PREFIX,
  signInCookieName,
  type SignInSettings,
  type StartedSignIn,
  TokenRenewer,
} from './portal-oidc-client.js';
import { PORTAL_HOME, toReturnPath } from './return-path.js';
import { CookieEncryption, type SessionKey } from './session-encryption.js';
import { isPortalSession, type PortalSession } from './portal-session.js';

/**
 * Maximum total length of pending sign-in cookies per browser; the oldest are expired, because header size is limited.
 */
const SIGN_INS_CHARS = 4_000;
const SESSION_COOKIE = 'hindsight_session';

export interface PortalSessionsOptions {
  readonly publicUrl: string;
  readonly provider: ProviderOptions;
  readonly request: SignInRequest;
  readonly key: SessionKey;
  /** Users offered for sign-in without a password; empty except with the development identity provider. */
  readonly users: readonly string[];
  readonly ended: EndedSessions;
  /** Whether signing out also signs the user out at the issuer (OpenID Connect RP-Initiated Logout 1.0). */
  readonly signsOutAtProvider: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Redirect target, and the `Set-Cookie` values to send with it. */
export interface RedirectStep {
  readonly location: string;
  readonly cookies: readonly string[];
}

/** Redirect after signing out. */
export interface SignOutResult extends RedirectStep {
  /**
   * False: the sign-out is not in the log yet and only this process rejects copies of the session cookie; recording is
   * retried.
   */
  readonly isRecorded: boolean;
}

/** The current session, and the `Set-Cookie` values for the response. */
export interface CurrentSession {
  readonly session: PortalSession | undefined;
  readonly cookies: readonly string[];
}

/**
 * Browser sessions of the portal. A session is stored entirely in its encrypted cookie, so every process can serve it;
 * only ended sessions are kept on the server.
 */
export class PortalSessions {
  readonly users: readonly string[];
  private readonly provider: () => Promise<Configuration>;
  private readonly settings: SignInSettings;
  private readonly encryption: CookieEncryption;
  private readonly cookieWriter: CookieWriter;
  private readonly tokenRenewer: TokenRenewer;

  constructor(private readonly options: PortalSessionsOptions) {
    const { publicUrl, key, request, now } = options;
    this.users = options.users;
    this.provider = createProviderDiscovery(options.provider);
    this.settings = { redirectUri: `${publicUrl}/portal/callback`, request };
    this.encryption = new CookieEncryption(key, publicUrl);
    this.cookieWriter = new CookieWriter(publicUrl);
    this.tokenRenewer = new TokenRenewer(this.provider, request, now);
  }

  /** Starts a sign-in. Rejects with `unavailable` if the issuer cannot be reached. */
  async beginSignIn(
    returnTo: string | null,
    loginHint: string | undefined,
    cookieHeader: string | undefined,
  ): Promise<RedirectStep> {
    const present = parseCookies(cookieHeader);
    const { started, authorizationUrl } = await beginSignIn(
      await this.provider(),
      this.settings,
      toReturnPath(returnTo),
      loginHint,
    );
    const encrypted = await this.encryption.encrypt('sign-in', started, this.options.now() + PORTAL_SIGN_IN_TIMEOUT_MS);
    const cookie = this.cookieWriter.write(
      signInCookieName(started.state),
      encrypted,
      PORTAL_SIGN_IN_TIMEOUT_MS / 1000,
      present,
    );
    return { location: authorizationUrl.href, cookies: [...this.expireAbandonedSignIns(present, cookie), ...cookie] };
  }

  /**
   * Completes a sign-in and replaces any existing session. Rejects with `unauthenticated` unless this browser started
   * the sign-in and the issuer completes it.
   * @param query query string of the callback URL
   */
  async finishSignIn(query: string, cookieHeader: string | undefined): Promise<RedirectStep> {
    const present = parseCookies(cookieHeader);
    const answer = new URL(`${this.settings.redirectUri}?${query}`);
    const name = signInCookieName(answer.searchParams.get('state') ?? '');
    const started = await this.readStartedSignIn(name, present);
    const { request, now } = this.options;
    const session = await finishSignIn(await this.provider(), answer, started, request, now());
    return {
      location: started.returnTo,
      cookies: [...this.cookieWriter.expire(name, present), ...(await this.writeSessionCookies(session, present))],
    };
  }

  /**
   * The current session with a valid access token. Rejects with `unavailable` if the issuer is needed and cannot be
   * reached, and while ended sessions are still loading. `cookies` is not empty if a token was renewed or the session
   * is over.
   */
  async readCurrent(cookieHeader: string | undefined): Promise<CurrentSession> {
    const present = parseCookies(cookieHeader);
    const active = await this.readActiveSession(present);
    if (active === undefined) return { session: undefined, cookies: this.cookieWriter.expire(SESSION_COOKIE, present) };
    const session = await this.renewIfDue(active);
    const isOver = session === undefined || this.options.ended.has(session); // it may have ended during the renewal
    if (isOver) return { session: undefined, cookies: this.cookieWriter.expire(SESSION_COOKIE, present) };
    return { session, cookies: session === active ? [] : await this.writeSessionCookies(session, present) };
  }

  /**
   * Ends the session, in this process immediately and everywhere once this resolves, and revokes its tokens at the
   * issuer if possible. `location` may point to the issuer. The cookies expire even if the log cannot be written.
   */
  async signOut(cookieHeader: string | undefined): Promise<SignOutResult> {
    const present = parseCookies(cookieHeader);
    const session = await this.decryptSessionCookie(present);
    const isRecorded = session === undefined || (await this.endEverywhere(session));
    return {
      location: await this.signOutLocation(session),
      cookies: this.cookieWriter.expire(SESSION_COOKIE, present),
      isRecorded,
    };
  }

  private async endEverywhere(session: PortalSession): Promise<boolean> {
    // Best effort: copies of the cookie are rejected anyway, and the tokens expire.
    const revoked = this.revoke(session).catch(() => undefined);
    const [isRecorded] = await Promise.all([this.options.ended.end(session), revoked]);
    return isRecorded;
  }

  /**
   * Logout URL of the issuer, which redirects back to the portal; the portal itself if the issuer is unavailable or has
   * no usable logout endpoint. The ID token is in the URL, where the issuer may log it: a form that posts it across sites
   * would not carry the issuer's `SameSite=Lax` cookies, and so might not end the user's session there.
   */
  private async signOutLocation(session: PortalSession | undefined): Promise<string> {
    if (!this.options.signsOutAtProvider) return PORTAL_HOME;
    const provider = await this.provider().catch(() => undefined);
    if (provider?.serverMetadata().end_session_endpoint === undefined) return PORTAL_HOME;
    const idToken = session?.isIdToken === true ? session.accessToken : session?.idToken;
    try {
      return buildEndSessionUrl(provider, {
        post_logout_redirect_uri: `${this.options.publicUrl}${PORTAL_HOME}`,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      }).href;
    } catch {
      return PORTAL_HOME; // the endpoint is invalid or not https
    }
  }

  private async readStartedSignIn(name: string, present: Cookies): Promise<StartedSignIn> {
    const encrypted = this.cookieWriter.read(name, present);
    const started =
      encrypted === undefined ? undefined : await this.encryption.decrypt('sign-in', encrypted, this.options.now());
    if (!isStartedSignIn(started))
      throw new HindsightError('unauthenticated', 'The sign-in took too long, or was started in another browser.');
    return started;
  }

  private async readActiveSession(present: Cookies): Promise<PortalSession | undefined> {
    const session = await this.decryptSessionCookie(present);
    return session === undefined || this.options.ended.has(session) ? undefined : session;
  }

  /** May have ended. */
  private async decryptSessionCookie(present: Cookies): Promise<PortalSession | undefined> {
    const encrypted = this.cookieWriter.read(SESSION_COOKIE, present);
    const session =
      encrypted === undefined ? undefined : await this.encryption.decrypt('session', encrypted, this.options.now());
    return isPortalSession(session) ? session : undefined;
  }

  private async writeSessionCookies(session: PortalSession, present: Cookies): Promise<string[]> {
    const { idToken, ...withoutIdToken } = session;
    const withIdToken =
      this.options.signsOutAtProvider && idToken !== undefined
        ? await this.encryption.encrypt('session', session, session.endsAt)
        : undefined;
    // Without the ID token the issuer may ask for confirmation; without the session the user would not be signed in.
    const encrypted =
      withIdToken !== undefined && withIdToken.length <= MAX_TEXT_CHARS
        ? withIdToken
        : await this.encryption.encrypt('session', withoutIdToken, session.endsAt);
    return this.cookieWriter.write(SESSION_COOKIE, encrypted, (session.endsAt - this.options.now()) / 1000, present);
  }

  /**
   * A session with a valid token survives if the issuer is unavailable or has renewed the session for another process.
   */
  private async renewIfDue(session: PortalSession): Promise<PortalSession | undefined> {
    const nowMs = this.options.now();
    if (nowMs < session.renewsAt) return session;
    const usable = nowMs < session.accessEndsAt ? session : undefined;
    if (session.refreshToken === undefined) return usable;
    try {
      const renewed = await this.tokenRenewer.renew(session, session.refreshToken);
      return renewed === 'over' ? usable : renewed;
    } catch (error) {
      if (usable !== undefined) return usable;
      throw error;
    }
  }

  private async revoke({ refreshToken }: PortalSession): Promise<void> {
    const provider = await this.provider();
    if (refreshToken !== undefined && provider.serverMetadata().revocation_endpoint !== undefined)
      await tokenRevocation(provider, refreshToken);
  }

  /** Expires the oldest sign-ins, which browsers send first, until the others and the new one fit. */
  private expireAbandonedSignIns(present: Cookies, newCookies: readonly string[]): string[] {
    const pendingSignIns = [...present].filter(([name]) =>
      name.startsWith(this.cookieWriter.fullName(SIGN_IN_COOKIE_PREFIX)),
    );
    const countChars = (cookies: readonly (readonly [string, string])[]): number =>
      cookies.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    const capacity = SIGN_INS_CHARS - newCookies.join('').length;
    const firstKept = pendingSignIns.findIndex((_, at) => countChars(pendingSignIns.slice(at)) <= capacity);
    const abandoned = firstKept === -1 ? pendingSignIns : pendingSignIns.slice(0, firstKept);
    return abandoned.flatMap(([name]) => this.cookieWriter.expire(this.cookieWriter.bareName(name), present));
  }
}
