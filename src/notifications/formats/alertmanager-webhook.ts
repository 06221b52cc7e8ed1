import { createHash } from 'node:crypto';
import type { NotifiedAlert } from '../../streams/events/notification-events.js';
import { describeSubject, toLabels } from '../label-matching.js';
import type { NotificationContent } from '../notification-content.js';

/** How Alertmanager writes the end of an alert that fires. */
const NO_END = '0001-01-01T00:00:00Z';

/**
 * The body of Alertmanager's webhook, version 4, so that its receivers work unchanged, with what only Hindsight knows
 * in `hindsight`.
 */
export function buildWebhookBody(content: NotificationContent): object {
  const { request, summary, cause, asOfUrl, chartUrl, manageUrl, channelName } = content;
  const { silenceUrl, acknowledgeUrl, incidentUrl } = content;
  const alerts = request.alerts.map((alert) => toWebhookAlert(alert, content));
  const alertCount = request.firing.length + request.resolved.length;
  return {
    version: '4',
    groupKey: `${request.routeId}:${request.groupId}`,
    truncatedAlerts: Math.max(0, alertCount - alerts.length),
    status: request.status,
    receiver: channelName,
    groupLabels: request.labels,
    commonLabels: findCommon(alerts.map(({ labels }) => labels)),
    commonAnnotations: findCommon(alerts.map(({ annotations }) => annotations)),
    externalURL: manageUrl,
    alerts,
    hindsight: {
      key: request.key,
      gridId: request.gridId,
      reason: request.reason,
      summary,
      diagnosis: request.cause && {
        ...request.cause,
        firstDetected: new Date(request.cause.firstDetected).toISOString(),
        text: cause,
      },
      asOfUrl,
      chartUrl,
      ...(incidentUrl !== undefined && { incidentUrl }),
      ...(silenceUrl !== undefined && { silenceUrl }),
      ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
    },
  };
}

function toWebhookAlert(alert: NotifiedAlert, { cause, asOfUrl }: NotificationContent) {
  const { alertId, condition, value, firedAt, resolvedAt, runbookUrl } = alert;
  const labels = toLabels(alert);
  return {
    status: resolvedAt === undefined ? ('firing' as const) : ('resolved' as const),
    labels,
    annotations: {
      summary: `${describeSubject(alert)}: ${condition}`,
      value: String(value),
      ...(cause.length > 0 && { description: cause.join('\n') }),
      ...(runbookUrl !== undefined && { runbook_url: runbookUrl }),
    } as Readonly<Record<string, string>>,
    startsAt: new Date(firedAt).toISOString(),
    endsAt: resolvedAt === undefined ? NO_END : new Date(resolvedAt).toISOString(),
    generatorURL: asOfUrl,
    fingerprint: createHash('sha256').update(alertId).digest('hex').slice(0, 16),
  };
}

/** Entries that all have. */
function findCommon(all: readonly Readonly<Record<string, string>>[]): Readonly<Record<string, string>> {
  const [first = {}, ...rest] = all;
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => rest.every((each) => each[name] === value)),
  );
}
