import { cutText, type NotificationContent } from '../notification-content.js';
import { listLinks } from './chat-messages.js';

const SUMMARY_LENGTH = 1_024;
const SEVERITIES: Readonly<Record<string, string>> = { info: 'info', warning: 'warning', critical: 'critical' };

/**
 * An event of PagerDuty's Events API v2. Its deduplication key is that of the group, so that the end of the alerts
 * resolves the incident that their beginning has opened.
 */
export function buildPagerDutyEvent(content: NotificationContent, routingKey: string): object {
  const { request, summary, cause, affectedServices } = content;
  const severities = request.alerts.map(({ severity }) => severity);
  const severity = ['critical', 'warning'].find((each) => severities.includes(each)) ?? 'info';
  return {
    routing_key: routingKey,
    event_action: request.status === 'firing' ? 'trigger' : 'resolve',
    dedup_key: request.groupId,
    client: 'Hindsight',
    client_url: content.asOfUrl,
    links: listLinks(content).map(({ text, url }) => ({ href: url, text })),
    payload: {
      summary: cutText(summary, SUMMARY_LENGTH),
      source: content.affectedServices.find((name) => name.trim() !== '') ?? 'hindsight',
      severity: SEVERITIES[severity],
      timestamp: new Date(request.alerts.at(0)?.firedAt ?? request.at).toISOString(),
      group: request.gridId,
      custom_details: { cause, affectedServices, notificationKey: request.key },
    },
  };
}
