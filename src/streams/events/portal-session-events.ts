/**
 * Event in the stream `portal-sessions`: a user signed out of the portal. It contains nothing that grants access or
 * identifies the user: the id is that of the sign-in, not of a cookie, and the access token appears only as a hash.
 */
export interface PortalSessionEnded {
  readonly type: 'PortalSessionEnded.v1';
  readonly data: {
    readonly sessionId: string;
    /**
     * Time (ms since 1970) until which a copy of the session cookie would be valid; afterwards the event can be
     * ignored.
     */
    readonly until: number;
    /** Base64 SHA-256 of the session's access token. */
    readonly tokenHash: string;
    /** Expiry of that token, ms since 1970. */
    readonly tokenUntil: number;
    readonly at: number;
  };
}
