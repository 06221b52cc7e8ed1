import { createHash } from 'node:crypto';
import { refreshTokenGrant, ResponseBodyError, type Configuration } from 'openid-client';
import { HindsightError } from '../../errors.js';
import { withTokens, type PortalSession } from './session.js';

/** So long the result is good for those who still come with the old cookie: other tabs, and streams on their way. */
const LATE_MS = 30_000;

/** The session is over, as the issuer says. */
export type Renewed = PortalSession | 'over';

/**
 * Renews access tokens. A refresh token may count only once: whoever comes with the same one meanwhile, or shortly after,
 * is given the result of the first.
 */
export class Renewals {
  /** By digest of the refresh token that was used. */
  private readonly underWay = new Map<string, Promise<Renewed>>();

  constructor(
    private readonly provider: () => Promise<Configuration>,
    private readonly scope: string,
    private readonly now: () => number,
  ) {}

  /** Rejects with `unavailable` while the issuer cannot be asked; then it may be tried again. */
  renew(session: PortalSession, refreshToken: string): Promise<Renewed> {
    const key = createHash('sha256').update(refreshToken).digest('base64');
    const known = this.underWay.get(key);
    if (known !== undefined) return known;
    const renewed = this.ask(session, refreshToken);
    this.underWay.set(key, renewed);
    const forget = (): boolean => this.underWay.delete(key);
    renewed.then(() => setTimeout(forget, LATE_MS).unref(), forget);
    return renewed;
  }

  private async ask(session: PortalSession, refreshToken: string): Promise<Renewed> {
    try {
      const granted = await refreshTokenGrant(await this.provider(), refreshToken, { scope: this.scope });
      return withTokens(session, granted, this.now());
    } catch (error) {
      if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return 'over';
      if (error instanceof HindsightError) throw error;
      throw new HindsightError('unavailable', 'The identity provider cannot be asked.', [], { cause: error });
    }
  }
}
