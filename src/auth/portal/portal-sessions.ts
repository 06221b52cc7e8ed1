import { buildEndSessionUrl, tokenRevocation, type Configuration } from 'openid-client';
import { HindsightError } from '../../errors.js';
import { parseCookies, CookieWriter, MAX_TEXT_CHARS, type Cookies } from './cookie-writer.js';
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

/** Characters of the cookies of sign-ins under way in one browser; abandoned ones beyond that are dropped: headers have an end. */
const SIGN_INS_CHARS = 4_000;
const SESSION_COOKIE = 'hindsight_session';

export interface PortalSessionsOptions {
  readonly publicUrl: string;
  readonly provider: ProviderOptions;
  /** What makes a token one for this service. */
  readonly scope: string;
  readonly key: SessionKey;
  /** Who may be offered to sign in without a password; nobody but with the development identity provider. */
  readonly users: readonly string[];
  readonly ended: EndedSessions;
  /** Whether who signs out here is led to the issuer, to be signed out there as well (OpenID Connect RP-Initiated Logout 1.0). */
  readonly signsOutAtProvider: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Where a browser goes next, and the cookies (`Set-Cookie`) that it takes along. */
export interface RedirectStep {
  readonly location: string;
  readonly cookies: readonly string[];
}

/** Where a browser goes next that has no session any more. */
export interface SignOutResult extends RedirectStep {
  /** False: copies of the session's cookie are refused by this process alone, as long as it lives and the log does not take the sign-out, which is tried again. */
  readonly isRecorded: boolean;
}

/** Who is signed in, and the cookies that the answer must bring. */
export interface CurrentSession {
  readonly session: PortalSession | undefined;
  readonly cookies: readonly string[];
}

/** Sessions of browsers. All of a session is in its cookie, sealed: no process has to remember it, and each can go on with it. Only what has ended is remembered. */
export class PortalSessions {
  readonly users: readonly string[];
  private readonly provider: () => Promise<Configuration>;
  private readonly settings: SignInSettings;
  private readonly seals: CookieEncryption;
  private readonly writer: CookieWriter;
  private readonly renewals: TokenRenewer;

  constructor(private readonly options: PortalSessionsOptions) {
    const { publicUrl, key, scope, now } = options;
    this.users = options.users;
    this.provider = createProviderDiscovery(options.provider);
    this.settings = { redirectUri: `${publicUrl}/portal/callback`, scope };
    this.seals = new CookieEncryption(key, publicUrl);
    this.writer = new CookieWriter(publicUrl);
    this.renewals = new TokenRenewer(this.provider, scope, now);
  }

  /** Rejects with `unavailable` while the issuer cannot be asked. */
  async beginSignIn(
    returnTo: string | null,
    loginHint: string | undefined,
    cookieHeader: string | undefined,
  ): Promise<RedirectStep> {
    const present = parseCookies(cookieHeader);
    const { started, address } = await beginSignIn(
      await this.provider(),
      this.settings,
      toReturnPath(returnTo),
      loginHint,
    );
    const text = await this.seals.encrypt('sign-in', started, this.options.now() + PORTAL_SIGN_IN_TIMEOUT_MS);
    const cookie = this.writer.write(signInCookieName(started.state), text, PORTAL_SIGN_IN_TIMEOUT_MS / 1000, present);
    return { location: address.href, cookies: [...this.expireAbandonedSignIns(present, cookie), ...cookie] };
  }

  /**
   * The session of whoever comes back from the issuer, in place of any other.
   * Rejects with `unauthenticated` unless this browser began the sign-in and the issuer finishes it.
   * @param query of the address that the issuer sent the browser to
   */
  async finishSignIn(query: string, cookieHeader: string | undefined): Promise<RedirectStep> {
    const present = parseCookies(cookieHeader);
    const answer = new URL(`${this.settings.redirectUri}?${query}`);
    const name = signInCookieName(answer.searchParams.get('state') ?? '');
    const started = await this.readStartedSignIn(name, present);
    const session = await finishSignIn(await this.provider(), answer, started, this.options.now());
    return {
      location: started.returnTo,
      cookies: [...this.writer.expire(name, present), ...(await this.writeSessionCookies(session, present))],
    };
  }

  /**
   * Who is signed in, with a token that is good for a while. Rejects with `unavailable` where the issuer has to be asked and cannot, and
   * until it is known who has signed out.
   * With `cookies` the browser must be told: a token was renewed, or the session is over.
   */
  async readCurrent(cookieHeader: string | undefined): Promise<CurrentSession> {
    const present = parseCookies(cookieHeader);
    const kept = await this.readActiveSession(present);
    if (kept === undefined) return { session: undefined, cookies: this.writer.expire(SESSION_COOKIE, present) };
    const session = await this.renewIfDue(kept);
    const isOver = session === undefined || this.options.ended.has(session); // perhaps while the issuer was asked
    if (isOver) return { session: undefined, cookies: this.writer.expire(SESSION_COOKIE, present) };
    return { session, cookies: session === kept ? [] : await this.writeSessionCookies(session, present) };
  }

  /**
   * Ends the session, in this process at once and everywhere once it resolves, and its tokens at the issuer as far as that lets itself be
   * asked. Its `location` may be one of the issuer. The cookies end also where the log could not be written.
   */
  async signOut(cookieHeader: string | undefined): Promise<SignOutResult> {
    const present = parseCookies(cookieHeader);
    const session = await this.decryptSessionCookie(present);
    const isRecorded = session === undefined || (await this.endEverywhere(session));
    return {
      location: await this.signOutLocation(session),
      cookies: this.writer.expire(SESSION_COOKIE, present),
      isRecorded,
    };
  }

  private async endEverywhere(session: PortalSession): Promise<boolean> {
    const revoked = this.revoke(session).catch(() => undefined); // no copy of the cookie is taken any more; there its tokens end by themselves
    const [isRecorded] = await Promise.all([this.options.ended.end(session), revoked]);
    return isRecorded;
  }

  /** The issuer leads back to the portal; while it is away, or where it ends no sessions at an address one may go to, that is where one is at once. */
  private async signOutLocation(session: PortalSession | undefined): Promise<string> {
    if (!this.options.signsOutAtProvider) return PORTAL_HOME;
    const provider = await this.provider().catch(() => undefined);
    if (provider?.serverMetadata().end_session_endpoint === undefined) return PORTAL_HOME;
    const back = { post_logout_redirect_uri: `${this.options.publicUrl}${PORTAL_HOME}` };
    try {
      return buildEndSessionUrl(provider, {
        ...back,
        ...(session?.idToken !== undefined && { id_token_hint: session.idToken }),
      }).href;
    } catch {
      return PORTAL_HOME; // an address that nobody may be sent to: none, or one without TLS
    }
  }

  private async readStartedSignIn(name: string, present: Cookies): Promise<StartedSignIn> {
    const text = this.writer.read(name, present);
    const started = text === undefined ? undefined : await this.seals.decrypt('sign-in', text, this.options.now());
    if (!isStartedSignIn(started))
      throw new HindsightError('unauthenticated', 'The sign-in took too long, or another browser began it.');
    return started;
  }

  private async readActiveSession(present: Cookies): Promise<PortalSession | undefined> {
    const session = await this.decryptSessionCookie(present);
    return session === undefined || this.options.ended.has(session) ? undefined : session;
  }

  /** Ended or not. */
  private async decryptSessionCookie(present: Cookies): Promise<PortalSession | undefined> {
    const text = this.writer.read(SESSION_COOKIE, present);
    const session = text === undefined ? undefined : await this.seals.decrypt('session', text, this.options.now());
    return isPortalSession(session) ? session : undefined;
  }

  private async writeSessionCookies(session: PortalSession, present: Cookies): Promise<string[]> {
    const { idToken, ...needed } = session;
    const whole =
      this.options.signsOutAtProvider && idToken !== undefined
        ? await this.seals.encrypt('session', session, session.endsAt)
        : undefined;
    // Without it the issuer may ask who signs out; without the session nobody would be signed in.
    const text =
      whole !== undefined && whole.length <= MAX_TEXT_CHARS
        ? whole
        : await this.seals.encrypt('session', needed, session.endsAt);
    return this.writer.write(SESSION_COOKIE, text, (session.endsAt - this.options.now()) / 1000, present);
  }

  /** While its token is good, a session outlives an issuer that cannot be asked or has renewed it for another process. */
  private async renewIfDue(session: PortalSession): Promise<PortalSession | undefined> {
    const nowMs = this.options.now();
    if (nowMs < session.renewsAt) return session;
    const usable = nowMs < session.accessEndsAt ? session : undefined;
    if (session.refreshToken === undefined) return usable;
    try {
      const renewed = await this.renewals.renew(session, session.refreshToken);
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

  /** The oldest go first, which browsers send first, until the others and the new one have room. */
  private expireAbandonedSignIns(present: Cookies, begun: readonly string[]): string[] {
    const under = [...present].filter(([name]) => name.startsWith(this.writer.fullName(SIGN_IN_COOKIE_PREFIX)));
    const charsOf = (cookies: readonly (readonly [string, string])[]): number =>
      cookies.reduce((sum, [name, text]) => sum + name.length + text.length, 0);
    const room = SIGN_INS_CHARS - begun.join('').length;
    const kept = under.findIndex((_, at) => charsOf(under.slice(at)) <= room);
    const abandoned = kept === -1 ? under : under.slice(0, kept);
    return abandoned.flatMap(([name]) => this.writer.expire(this.writer.bareName(name), present));
  }
}
