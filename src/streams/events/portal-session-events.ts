/**
 * In `portal-sessions`: somebody has signed out of the portal. Nothing in it lets anybody in, nor says who it was: the id is that of one
 * sign-in and no cookie, and of the access token there is the hash alone.
 */
export interface PortalSessionEnded {
  readonly type: 'PortalSessionEnded.v1';
  readonly data: {
    readonly sessionId: string;
    /** So long (ms since 1970) a copy of its cookie could be shown; whoever reads this later has nothing to refuse. */
    readonly until: number;
    /** Base64 SHA-256 of the access token that the session had. */
    readonly tokenHash: string;
    /** The end of that token, ms since 1970. */
    readonly tokenUntil: number;
    readonly at: number;
  };
}
