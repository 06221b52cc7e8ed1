import type { GridLimits } from '../../accounting/usage-limits.js';
import type { Authored } from './grid-events.js';

/** Of all events here: `at` and `reservedAt` are ms since 1970. */

/** In the Grid's own stream. */
export interface LimitsUpdated {
  readonly type: 'LimitsUpdated.v1';
  readonly data: Authored & { readonly gridId: string; readonly changes: Partial<GridLimits> };
}

/** In `sessions-<gridId>`: the life of assistant instances. A session that nobody uses for SESSION_IDLE_MS is over, with or without an event. */
export type SessionEvent =
  | {
      readonly type: 'SessionStarted.v1';
      readonly data: {
        readonly gridId: string;
        readonly instanceId: string;
        readonly userId: string;
        readonly at: number;
      };
    }
  | {
      readonly type: 'SessionUsed.v1';
      readonly data: { readonly gridId: string; readonly instanceId: string; readonly at: number };
    }
  | {
      readonly type: 'SessionEnded.v1';
      readonly data: {
        readonly gridId: string;
        readonly instanceId: string;
        readonly reason: 'ended' | 'expired';
        readonly at: number;
      };
    };

/**
 * In `usage-<user id in base64url>`: prompts and energy of one user over all Grids. A reservation that is neither settled
 * nor refunded within RESERVATION_MS counts as refunded.
 */
export type UsageEvent =
  | {
      readonly type: 'PromptReserved.v1';
      readonly data: {
        readonly userId: string;
        readonly gridId: string;
        readonly promptId: string;
        readonly energy: number;
        readonly at: number;
      };
    }
  /** The reply was given and cost so much; `reservedAt` says to which UTC day the prompt belongs. */
  | {
      readonly type: 'PromptSettled.v1';
      readonly data: {
        readonly userId: string;
        readonly gridId: string;
        readonly promptId: string;
        readonly energy: number;
        readonly reservedAt: number;
        readonly at: number;
      };
    }
  | {
      readonly type: 'PromptRefunded.v1';
      readonly data: {
        readonly userId: string;
        readonly gridId: string;
        readonly promptId: string;
        readonly reservedAt: number;
        readonly at: number;
      };
    };

export type SpeechKind = 'synthesis' | 'recognition';

/** In `speech-<gridId>`: seconds of audio of one Grid; reservations lapse likewise. */
export type SpeechEvent =
  | {
      readonly type: 'SpeechReserved.v1';
      readonly data: {
        readonly gridId: string;
        readonly userId: string;
        readonly speechId: string;
        readonly kind: SpeechKind;
        readonly seconds: number;
        readonly at: number;
      };
    }
  | {
      readonly type: 'SpeechSettled.v1';
      readonly data: {
        readonly gridId: string;
        readonly userId: string;
        readonly speechId: string;
        readonly kind: SpeechKind;
        readonly seconds: number;
        readonly reservedAt: number;
        readonly at: number;
      };
    }
  | {
      readonly type: 'SpeechRefunded.v1';
      readonly data: {
        readonly gridId: string;
        readonly speechId: string;
        readonly reservedAt: number;
        readonly at: number;
      };
    };

/** In `conversations-<user id in base64url>`: what was said, and what it was about, so that a question can follow another. */
export interface TurnRecorded {
  readonly type: 'TurnRecorded.v1';
  readonly data: {
    readonly userId: string;
    readonly gridId: string;
    readonly conversationId: string;
    readonly prompt: string;
    readonly response: string;
    /** What the analyst understood: plain data, for its next turn. */
    readonly focus: Readonly<Record<string, unknown>>;
    readonly at: number;
  };
}
