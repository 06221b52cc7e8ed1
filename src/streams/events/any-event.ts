import type { AlertEvent, AlertRuleEvent } from './alert-events.js';
import type { LimitsUpdated, SessionEvent, SpeechEvent, TurnRecorded, UsageEvent } from './assistant-events.js';
import type { ChartEvent } from './chart-events.js';
import type { Authored, GridEvent } from './grid-events.js';
import type { ApiKeysUsed } from './key-use-events.js';
import type { PortalSessionEnded } from './portal-session-events.js';

/** Everything that the log holds beside telemetry. */
export type AnyEvent = GridEvent | AlertRuleEvent | AlertEvent | ChartEvent | LimitsUpdated | SessionEvent | UsageEvent | SpeechEvent | TurnRecorded | ApiKeysUsed | PortalSessionEnded;

/** What somebody did who has a name: each is told in the audit. */
export type AuthoredEvent = Extract<AnyEvent, { readonly data: Authored }>;

/** The one event of that type. */
export type AuthoredEventOf<Type extends AuthoredEvent['type']> = Extract<AuthoredEvent, { readonly type: Type }>;
