import type { Authored } from './grid-events.js';

/** Condition on one label of an alert. `*` in the value stands for any text. */
export interface StoredMatcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

/** A receiver of notifications. Address and credentials are in `sealed` alone, encrypted. */
export interface StoredChannel {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** What may be shown of the address: its origin; empty for e-mail. */
  readonly target: string;
  /** Addresses of e-mail. */
  readonly recipients: readonly string[];
  readonly sealed?: string;
}

export interface StoredNotificationRoute {
  readonly id: string;
  readonly name: string;
  /** All of them must hold; none: every alert. */
  readonly matchers: readonly StoredMatcher[];
  readonly channelIds: readonly string[];
  readonly groupBy: readonly string[];
  readonly groupWaitSeconds: number;
  readonly groupIntervalSeconds: number;
  readonly repeatIntervalSeconds: number;
  readonly sendResolved: boolean;
  /** 0: never. */
  readonly escalateAfterMinutes: number;
  readonly escalateTo: readonly string[];
  readonly enabled: boolean;
}

/** `startsAt` and `endsAt` in ms since 1970; a maintenance window starts in the future. */
export interface StoredSilence {
  readonly id: string;
  readonly matchers: readonly StoredMatcher[];
  readonly reason: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Distributes over the types, so that each event can be distinguished by its type. */
type Definition<Type extends string, Data> = Type extends string
  ? { readonly type: Type; readonly data: Authored & { readonly gridId: string } & Data }
  : never;

/** Events in the stream `grid-<gridId>`, next to its settings. */
export type NotificationSettingsEvent =
  | Definition<'ChannelCreated.v1' | 'ChannelChanged.v1', { readonly channel: StoredChannel }>
  | Definition<'ChannelDeleted.v1', { readonly channelId: string }>
  | Definition<
      'NotificationRouteCreated.v1' | 'NotificationRouteChanged.v1',
      { readonly route: StoredNotificationRoute }
    >
  | Definition<'NotificationRouteDeleted.v1', { readonly routeId: string }>
  | Definition<'SilenceCreated.v1' | 'SilenceChanged.v1', { readonly silence: StoredSilence }>
  | Definition<'SilenceDeleted.v1', { readonly silenceId: string }>;

/** An alert as a notification shows it. Times in ms since 1970. */
export interface NotifiedAlert {
  readonly alertId: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly serviceName: string;
  /** Values of the other fields that its rule groups by; absent: none. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly condition: string;
  readonly severity: string;
  readonly value: number;
  readonly firedAt: number;
  /** Absent while it fires. */
  readonly resolvedAt?: number;
  readonly runbookUrl?: string;
}

/** The most likely cause when the notification was requested. */
export interface NotifiedCause {
  readonly cause: string;
  readonly kind: string;
  readonly serviceName: string | null;
  readonly confidence: number;
  readonly severity: string;
  readonly affectedServices: readonly string[];
  readonly evidence: readonly string[];
  readonly firstDetected: number;
}

/** Versions whose alerts have no labels; upcast when read. */
export const NOTIFICATIONS_V1 = ['AlertsRouted.v1', 'NotificationRequested.v1'] as const;

/** A change of an alert, and the groups of the routes that match it when it fires. */
export type RoutedChange =
  | {
      readonly change: 'fired';
      readonly alert: NotifiedAlert;
      readonly groups: readonly {
        readonly groupId: string;
        readonly routeId: string;
        readonly labels: Readonly<Record<string, string>>;
      }[];
    }
  | { readonly change: 'severity'; readonly alertId: string; readonly severity: string; readonly value: number }
  | { readonly change: 'acknowledged'; readonly alertId: string }
  | { readonly change: 'resolved'; readonly alertId: string; readonly at: number };

export type NotificationReason = 'firing' | 'resolved' | 'repeat' | 'cause' | 'escalation' | 'test';

/** An alert in a group, and what was sent about it. */
export interface GroupedAlert extends NotifiedAlert {
  /** Severity in the last notification that said it fires; absent before the first. */
  readonly notifiedSeverity?: string;
  /** Channels of the notifications that said it fires, which are notified of its end. */
  readonly notifiedChannels?: readonly string[];
  /** Time of the first of them. */
  readonly notifiedSince?: number;
  readonly isAcknowledged?: true;
  readonly isEscalated?: true;
}

/** Alerts that one route sends in one message. */
export interface StoredAlertGroup {
  readonly groupId: string;
  readonly routeId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly openedAt: number;
  readonly alerts: readonly GroupedAlert[];
  /** Time of the last notification; undefined: none yet. */
  readonly notifiedAt?: number;
  /** The cause that was named, while alerts fire that it explains. */
  readonly notifiedCause?: NotifiedCause;
}

export interface NotificationRequest {
  readonly gridId: string;
  /** Deduplication key: the same for every attempt. */
  readonly key: string;
  readonly channelId: string;
  /** Empty for a test. */
  readonly routeId: string;
  readonly groupId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly status: 'firing' | 'resolved';
  readonly reason: NotificationReason;
  /** The first of them, for the message. */
  readonly alerts: readonly NotifiedAlert[];
  /** Ids of all alerts that it reports as firing and as resolved. */
  readonly firing: readonly string[];
  readonly resolved: readonly string[];
  readonly cause: NotifiedCause | null;
  readonly at: number;
}

export interface PendingNotification extends NotificationRequest {
  readonly attempts: number;
  readonly retryAt: number;
  /** When retry time and claim were set. */
  readonly changedAt: number;
  readonly claim?: { readonly by: string; readonly until: number };
}

/** How the delivery of a notification stands. */
export interface StoredDelivery {
  readonly key: string;
  readonly channelId: string;
  readonly reason: NotificationReason;
  readonly status: 'firing' | 'resolved';
  /** Its subject: rule and service of its first alert. */
  readonly subject: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly requestedAt: number;
  /** When it was delivered or finally failed. */
  readonly settledAt?: number;
  readonly nextAttemptAt?: number;
  /** Status code and beginning of the answer. */
  readonly statusCode?: number;
  readonly answer?: string;
  /** Of the last attempt, if it failed. */
  readonly error?: string;
}

/**
 * Events in the stream `notifications-<gridId>`: which notifications were sent to which channels about which alerts.
 * `at` is the time of the policy (ms since 1970).
 */
export type NotificationEvent =
  | {
      readonly type: 'AlertsRouted.v2';
      readonly data: {
        readonly gridId: string;
        /** Revision of the last event of the alerts stream that is included: the checkpoint of the policy. */
        readonly through: number;
        readonly changes: readonly RoutedChange[];
        readonly at: number;
      };
    }
  | {
      readonly type: 'AlertGroupClosed.v1';
      readonly data: {
        readonly gridId: string;
        readonly groupId: string;
        readonly alertIds: readonly string[];
        readonly reason: 'silenced' | 'route-removed' | 'resolved-not-sent';
        readonly at: number;
      };
    }
  | {
      readonly type: 'NotificationRequested.v2';
      readonly data: NotificationRequest;
    }
  | {
      readonly type: 'NotificationAttempted.v1';
      readonly data: {
        readonly gridId: string;
        readonly key: string;
        /** Counts from 1. */
        readonly attempt: number;
        /** The process that makes it; until `until` no other does. */
        readonly by: string;
        readonly until: number;
        readonly at: number;
      };
    }
  | {
      readonly type: 'NotificationDelivered.v1';
      readonly data: {
        readonly gridId: string;
        readonly key: string;
        readonly attempt: number;
        /** Status code of HTTP or SMTP. */
        readonly status: number;
        /** Beginning of the answer. */
        readonly answer: string;
        readonly at: number;
      };
    }
  | {
      readonly type: 'NotificationFailed.v1';
      readonly data: {
        readonly gridId: string;
        readonly key: string;
        readonly attempt: number;
        readonly error: string;
        /** When the next attempt is due; null: there is none. */
        readonly retryAt: number | null;
        readonly at: number;
      };
    }
  /** Stands for all events before it, which are deleted an hour later. */
  | {
      readonly type: 'NotificationsSummarized.v1';
      readonly data: {
        readonly gridId: string;
        readonly through: number;
        readonly groups: readonly StoredAlertGroup[];
        /** In the order of the requests. */
        readonly pending: readonly PendingNotification[];
        /** Those that are still listed, oldest first. All others are forgotten. */
        readonly deliveries: readonly StoredDelivery[];
        readonly at: number;
      };
    };
