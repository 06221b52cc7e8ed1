/** Rule id of alerts that no rule has raised, but a diagnosis; their condition is the cause. */
export const DIAGNOSIS_RULE_ID = 'diagnosis';

export const CHANNEL_TYPES = ['webhook', 'slack', 'email', 'pagerduty', 'teams'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];
export const MATCHER_OPERATORS = ['=', '!='] as const;

export interface Matcher {
  /** `alertname`, `rule`, `service`, `severity`, or a field that a rule on a query groups by. */
  readonly label: string;
  readonly operator: (typeof MATCHER_OPERATORS)[number];
  /** `*` stands for any text. */
  readonly value: string;
}

/** What a channel needs to send, and nobody may read: it is sealed as a whole. */
export interface ChannelSecret {
  readonly url?: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
  readonly routingKey?: string;
}

/** A channel as its author sends it; the secret part is kept on a change that omits it. */
export interface NewChannel extends ChannelSecret {
  readonly name: string;
  readonly type: ChannelType;
  readonly recipients: readonly string[];
}

export interface NewNotificationRoute {
  readonly name: string;
  readonly matchers: readonly Matcher[];
  readonly channelIds: readonly string[];
  /** Labels as in matchers. */
  readonly groupBy: readonly string[];
  readonly groupWaitSeconds: number;
  readonly groupIntervalSeconds: number;
  readonly repeatIntervalSeconds: number;
  readonly sendResolved: boolean;
  readonly escalateAfterMinutes: number;
  readonly escalateTo: readonly string[];
  readonly enabled: boolean;
}

export interface NewSilence {
  readonly matchers: readonly Matcher[];
  readonly reason: string;
  /** ms since 1970. */
  readonly startsAt: number;
  readonly endsAt: number;
}

export const NOTIFICATION_BOUNDS = {
  nameLength: 200,
  urlLength: 2_048,
  secretLength: 1_024,
  reasonLength: 1_000,
  /** As long as a field of a query. */
  labelLength: 256,
  valueLength: 1_024,
  wildcards: 5,
  recipients: 20,
  matchers: 20,
  groupLabels: 10,
  channelsOfARoute: 10,
  channelsOfAGrid: 50,
  routesOfAGrid: 100,
  /** Those that are over make room for others, the oldest first. */
  silencesOfAGrid: 500,
  /** Notifications that wait for one channel. */
  pendingOfAChannel: 500,
  groupWaitSeconds: { min: 0, max: 3_600 },
  groupIntervalSeconds: { min: 1, max: 86_400 },
  repeatIntervalSeconds: { min: 60, max: 2_592_000 },
  escalateAfterMinutes: { min: 0, max: 1_440 },
} as const;

export const ROUTE_DEFAULTS = {
  groupWaitSeconds: 30,
  groupIntervalSeconds: 300,
  repeatIntervalSeconds: 14_400,
  sendResolved: true,
  escalateAfterMinutes: 0,
  enabled: true,
};
