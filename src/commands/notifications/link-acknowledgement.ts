import { alertsStream, gridStream, notificationsStream } from '../../streams/stream-names.js';
import { HindsightError } from '../../errors.js';
import type { AlertCommand, AlertsState } from '../alerts/alert-decider.js';
import type { CommandHandler } from '../handle-command.js';
import type { NotificationCommand } from './notification-decider.js';
import type { NotificationSettings, NotificationSettingsCommand } from './notification-settings-decider.js';
import { isOpenDiagnosis, type NotificationState } from './notification-state.js';

/** What a signed link allows. */
interface Grant {
  readonly gridId: string;
  readonly channelId: string;
  readonly alertIds: readonly string[];
}

/** How the alerts of a link stand. */
export interface LinkedAlerts {
  readonly gridId: string;
  /** Alerts that fire and that nobody has acknowledged. */
  readonly open: number;
}

/** Acknowledges by the link in a message, which needs no sign-in. Both reject with `not-found` for an invalid link. */
export interface LinkAcknowledgements {
  /** Changes nothing: mail servers open links, too. */
  find(token: string): Promise<LinkedAlerts>;
  /** Acknowledges what is open, in the name of the channel; resolves to how the alerts stood before. */
  acknowledge(token: string): Promise<LinkedAlerts>;
}

export interface LinkAcknowledgementsOptions {
  readonly openLink: (token: string, now: number) => Promise<Grant | undefined>;
  readonly alerts: CommandHandler<AlertCommand, unknown, AlertsState>;
  readonly notifications: CommandHandler<NotificationCommand, unknown, NotificationState>;
  readonly settings: CommandHandler<NotificationSettingsCommand, unknown, NotificationSettings>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createLinkAcknowledgements(options: LinkAcknowledgementsOptions): LinkAcknowledgements {
  const { openLink, alerts, notifications, settings, now } = options;
  const findOpen = async (token: string) => {
    const grant = await openLink(token, now());
    if (grant === undefined)
      throw new HindsightError('not-found', 'This link is invalid or has expired: links work for seven days.');
    const { gridId, alertIds } = grant;
    const { state } = await alerts(alertsStream(gridId));
    const { state: notified } = await notifications(notificationsStream(gridId));
    const ofRules = alertIds.filter((id) => isUnacknowledged(state, id));
    const ofDiagnoses = alertIds.filter((id) => isOpenDiagnosis(notified, id));
    return { grant, ofRules, ofDiagnoses, found: { gridId, open: ofRules.length + ofDiagnoses.length } };
  };
  return {
    find: async (token) => (await findOpen(token)).found,
    async acknowledge(token) {
      const { grant, ofRules, ofDiagnoses, found } = await findOpen(token);
      const { gridId, channelId } = grant;
      const { state } = await settings(gridStream(gridId));
      const by = { actor: `channel:${state.channel.get(channelId)?.name ?? channelId}`, at: now(), gridId };
      for (const alertId of ofRules) {
        // One that has ended meanwhile needs nobody.
        await alerts(alertsStream(gridId), { ...by, type: 'Acknowledge', alertId }).catch(ignoreNotFound);
      }
      for (const alertId of ofDiagnoses)
        await notifications(notificationsStream(gridId), { type: 'AcknowledgeDiagnosis', gridId, at: by.at, alertId });
      return found;
    },
  };
}

function isUnacknowledged({ keys, open }: AlertsState, alertId: string): boolean {
  const alert = open.get(keys.get(alertId) ?? '');
  return alert !== undefined && alert.isAcknowledged !== true;
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof HindsightError && error.code === 'not-found')) throw error;
}
