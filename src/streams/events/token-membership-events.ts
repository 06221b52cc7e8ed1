import type { Role } from './grid-events.js';

/**
 * Event in the stream `portal-sessions`: a caller used a token that grants memberships, or no longer grants those that its
 * last token granted. It grants nothing: what a caller may do follows from the token that it sends.
 */
export interface TokenMembershipsSeen {
  readonly type: 'TokenMembershipsSeen.v1';
  readonly data: {
    readonly userId: string;
    /** Empty: none any more. */
    readonly memberships: readonly {
      readonly gridId: string;
      readonly role: Role;
      /** When a token of the caller granted a membership of the Grid first, ms since 1970. */
      readonly since: number;
    }[];
    /** End of the token, ms since 1970: what tokens that end sooner grant does not count any more. */
    readonly tokenUntil: number;
    /** Until when the caller is listed, ms since 1970; afterwards the event can be ignored. */
    readonly until: number;
    readonly at: number;
  };
}
