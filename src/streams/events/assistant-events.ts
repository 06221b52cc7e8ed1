import type { GridLimits } from '../../accounting/usage-limits.js';
import type { Authored } from './grid-events.js';

/** In all events of this file, `at` and `reservedAt` are ms since 1970. */

/** Event in the stream `grid-<gridId>`. */
export interface LimitsUpdated {
  readonly type: 'LimitsUpdated.v1';
  readonly data: Authored & { readonly gridId: string; readonly changes: Partial<GridLimits> };
}

/**
 * Events in the stream `sessions-<gridId>`: life cycle of assistant sessions. A session that is unused for
 * SESSION_IDLE_MS is over, with or without an event.
 */
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
 * Events in the stream `usage-<user id in base64url>`: prompts and energy of a user across all Grids. A reservation
 * that is neither settled nor refunded within RESERVATION_TIMEOUT_MS counts as refunded.
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
  /** The reply was delivered and cost `energy`; `reservedAt` determines the UTC day to which the prompt belongs. */
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

/** Events in the stream `speech-<gridId>`: seconds of audio of a Grid; reservations expire like those of prompts. */
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

/**
 * Event in the stream `conversations-<user id in base64url>`: one exchange with its context, so that a question can
 * refer to an earlier one.
 */
export interface TurnRecorded {
  readonly type: 'TurnRecorded.v1';
  readonly data: {
    readonly userId: string;
    readonly gridId: string;
    readonly conversationId: string;
    readonly prompt: string;
    readonly response: string;
    /** Query context of the analyst for the next turn: plain data. */
    readonly focus: Readonly<Record<string, unknown>>;
    readonly at: number;
  };
}
