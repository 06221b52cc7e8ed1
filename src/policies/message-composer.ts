import { type AcknowledgementGrant, LINK_LIFETIME_MS } from '../notifications/acknowledgement-links.js';
import {
  buildNotificationContent,
  type ChartSubject,
  findLeadingAlert,
  listChartSubjects,
  type NotificationContent,
} from '../notifications/notification-content.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { PendingNotification, StoredChannel } from '../streams/events/notification-events.js';

/** How long (ms) a message waits for its chart. */
const CHART_TIMEOUT_MS = 3_000;

/** When an alert fired, and when it is told; ms since 1970. */
export interface ChartRange {
  readonly firedAt: number;
  readonly at: number;
}

export interface MessageComposerParts {
  readonly publicUrl: string;
  /** Signs the link that acknowledges the alerts of a notification. */
  readonly signLink: (grant: AcknowledgementGrant) => Promise<string>;
  /** The incident of one of these alerts, or of the cause; undefined while there is none. */
  readonly findIncident: (
    gridId: string,
    alertIds: readonly string[],
    causeService: string | undefined,
  ) => Promise<string | undefined>;
  /** PNG of a service around the time of an alert; undefined if there is no such chart. */
  readonly drawChart: (gridId: string, subject: ChartSubject, range: ChartRange) => Promise<Uint8Array | undefined>;
  readonly logger: Logger;
}

/** Composes the message of a notification: its texts and links, and for e-mail its chart. */
export async function composeMessage(
  parts: MessageComposerParts,
  pending: PendingNotification,
  { name, type }: StoredChannel,
): Promise<NotificationContent> {
  const { publicUrl, signLink } = parts;
  const { gridId, channelId, firing: alertIds, resolved, cause, at } = pending;
  const content = buildNotificationContent(pending, name, publicUrl);
  const chart = type === 'email' ? await drawLeadingChart(parts, pending) : undefined;
  const grant = { gridId, channelId, alertIds, expiresAt: at + LINK_LIFETIME_MS };
  const token = alertIds.length > 0 ? await signLink(grant) : undefined;
  const incidentId = await parts.findIncident(gridId, [...alertIds, ...resolved], cause?.serviceName ?? undefined);
  return {
    ...content,
    ...(incidentId !== undefined && { incidentUrl: `${publicUrl}/portal/g/${gridId}/incidents/${incidentId}` }),
    ...(token !== undefined && { acknowledgeUrl: `${publicUrl}/portal/acknowledge?token=${token}` }),
    ...(chart !== undefined && { chart }),
  };
}

/** A message without its chart is better than none. */
async function drawLeadingChart(
  { drawChart, logger }: MessageComposerParts,
  { gridId, alerts, cause, at, reason }: PendingNotification,
): Promise<Uint8Array | undefined> {
  const alert = findLeadingAlert(alerts, cause);
  if (alert === undefined || reason === 'test') return undefined;
  const drawFirst = async (): Promise<Uint8Array | undefined> => {
    for (const subject of listChartSubjects(alert, cause)) {
      const chart = await drawChart(gridId, subject, { firedAt: alert.firedAt, at });
      if (chart !== undefined) return chart;
    }
    return undefined;
  };
  try {
    return await withTimeLimit(drawFirst(), CHART_TIMEOUT_MS);
  } catch (error) {
    logger.warn('Cannot render the chart of a notification; sending it without', { gridId, error });
    return undefined;
  }
}

/** Undefined if the work takes longer. */
async function withTimeLimit<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  // Whatever it comes to after the limit, nobody waits for it.
  work.catch(() => undefined);
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
