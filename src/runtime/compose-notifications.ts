import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createFileSessionKey } from '../auth/portal/session-encryption.js';
import { createCommandHandler, type CommandQueue } from '../commands/handle-command.js';
import { createNotificationCommands, sealContext } from '../commands/notifications/notification-commands.js';
import { notificationDecider } from '../commands/notifications/notification-decider.js';
import { notificationSettingsDecider } from '../commands/notifications/notification-settings-decider.js';
import type { Settings } from '../config/settings.js';
import { createLinkAcknowledgements } from '../commands/notifications/link-acknowledgement.js';
import { HindsightError } from '../errors.js';
import { createAcknowledgementLinks } from '../notifications/acknowledgement-links.js';
import { createHttpSender } from '../notifications/adapters/http/http-sender.js';
import { createSmtpSender } from '../notifications/adapters/smtp/smtp-sender.js';
import { createChannelSecrets } from '../notifications/channel-secrets.js';
import { createPublicLookup } from '../notifications/private-addresses.js';
import type { ChartSubject } from '../notifications/notification-content.js';
import type { ChartRange } from '../policies/message-composer.js';
import { NotificationDispatcher } from '../policies/notification-dispatcher.js';
import { NotificationCompactor } from '../policies/notification-compactor.js';
import { NotificationPolicy } from '../policies/notification-policy.js';
import { findIncident } from './compose-incidents.js';
import { findRequestChartId } from '../queries/charts/service-dashboard.js';
import type { Logger } from '../self-telemetry/logger.js';
import { isLogEmbedded } from './engines/engine-settings.js';
import { PARTS, type RegisterPart, type ServiceParts } from './service-parts.js';

/** Grids whose notification state is cached; each takes as much memory as it has open alerts and pending messages. */
const CACHED_GRIDS = 1_000;

/** Registers the commands of notifications. `gridQueues`: those of all commands on the Grid stream. */
export function registerNotificationCommands(register: RegisterPart, gridQueues: CommandQueue): void {
  register(PARTS.handleNotificationSettings, (parts) =>
    createCommandHandler(parts.resolve(PARTS.eventStore), notificationSettingsDecider, CACHED_GRIDS, gridQueues),
  );
  register(PARTS.handleNotificationCommand, (parts) =>
    createCommandHandler(parts.resolve(PARTS.eventStore), notificationDecider, CACHED_GRIDS),
  );
  register(PARTS.channelSecrets, (parts) => createChannelSecrets(findSecretSource(parts.resolve(PARTS.settings))));
  registerAcknowledgementLinks(register);
  register(PARTS.notificationCommands, (parts) =>
    createNotificationCommands({
      settings: parts.resolve(PARTS.handleNotificationSettings),
      notifications: parts.resolve(PARTS.handleNotificationCommand),
      alerts: parts.resolve(PARTS.handleAlertCommand),
      seal: (channel, secret) => parts.resolve(PARTS.channelSecrets).seal(channel, secret),
      newId: randomUUID,
      now: Date.now,
    }),
  );
}

function registerAcknowledgementLinks(register: RegisterPart): void {
  register(PARTS.acknowledgementLinks, (parts) =>
    createAcknowledgementLinks(findSecretSource(parts.resolve(PARTS.settings)) ?? rejectWithoutSecret),
  );
  register(PARTS.linkAcknowledgements, (parts) => {
    const links = parts.resolve(PARTS.acknowledgementLinks);
    return createLinkAcknowledgements({
      openLink: (token, now) => links.open(token, now),
      alerts: parts.resolve(PARTS.handleAlertCommand),
      notifications: parts.resolve(PARTS.handleNotificationCommand),
      settings: parts.resolve(PARTS.handleNotificationSettings),
      now: Date.now,
    });
  });
}

/** A generated key is enough for one process; several need one that all of them are given. */
function findSecretSource(settings: Settings): (() => Promise<Uint8Array | string>) | undefined {
  const { notifySecret, dataDir } = settings;
  if (notifySecret !== undefined) return async () => notifySecret.reveal();
  return isLogEmbedded(settings) ? createFileSessionKey(join(dataDir, 'notify-key')) : undefined;
}

/** Without a secret there are no channels, and so no links. */
function rejectWithoutSecret(): Promise<never> {
  return Promise.reject(new HindsightError('not-found', 'This service has sent no links: NOTIFY_SECRET is not set.'));
}

/** Notifies the receivers of the Grids that this process owns of their alerts. */
export function createNotificationPolicy(parts: ServiceParts, logger: Logger): NotificationPolicy {
  const { accessThread, diagnostics, ownedShards, eventStore } = parts;
  const filterOwned = (gridIds: readonly string[]): readonly string[] =>
    [...new Set(gridIds)].filter((gridId) => ownedShards.ownsGrid(gridId));
  return new NotificationPolicy({
    log: eventStore,
    // It only reads them: routes notify although another event of their Grid is damaged, such as a change of a chart.
    settings: createCommandHandler(
      eventStore,
      { ...notificationSettingsDecider, skipsDamagedEvents: true },
      CACHED_GRIDS,
    ),
    notifications: parts.handleNotificationCommand,
    dispatcher: createDispatcher(parts, logger),
    grids: {
      withOpenAlerts: async () => filterOwned((await accessThread.api.openAlerts()).map(({ gridId }) => gridId)),
      withPendingDeliveries: async () => filterOwned(await accessThread.api.gridsWithPendingDeliveries()),
      withRoutes: async () => filterOwned(await accessThread.api.gridsWithRoutes()),
      owns: (gridId) => ownedShards.ownsGrid(gridId),
    },
    alertRules: (gridId) => accessThread.api.alertRules(gridId),
    diagnose: (gridId) => diagnostics.api.recentDiagnosis(gridId),
    now: Date.now,
    logger,
  });
}

/** Keeps the streams of notifications short, those of the Grids that this process owns. */
export function createNotificationCompactor(
  { accessThread, ownedShards, eventStore }: ServiceParts,
  logger: Logger,
): NotificationCompactor {
  return new NotificationCompactor({
    log: eventStore,
    listGrids: async () =>
      (await accessThread.api.allGrids()).map(({ gridId }) => gridId).filter((gridId) => ownedShards.ownsGrid(gridId)),
    now: Date.now,
    newId: randomUUID,
    logger,
  });
}

function createDispatcher(parts: ServiceParts, logger: Logger): NotificationDispatcher {
  const { settings, channelSecrets, acknowledgementLinks, handleNotificationCommand } = parts;
  const lookup = settings.notifyPrivateAddresses === 'allow' ? undefined : createPublicLookup();
  return new NotificationDispatcher({
    notifications: handleNotificationCommand,
    senders: {
      http: createHttpSender(lookup === undefined ? {} : { lookup }),
      email: createSmtpSender({ url: settings.smtpUrl?.reveal(), from: settings.smtpFrom }),
    },
    openSecret: (gridId, channelId, sealed) => channelSecrets.open(sealContext(gridId, channelId), sealed),
    publicUrl: settings.publicUrl,
    signLink: (grant) => acknowledgementLinks.sign(grant),
    findIncident: (gridId, alertIds, causeService) => findIncident(parts, gridId, alertIds, causeService),
    drawChart: (gridId, subject, range) => drawAlertChart(parts, gridId, subject, range),
    processId: randomUUID(),
    isAlone: isLogEmbedded(settings),
    now: Date.now,
    random: Math.random,
    logger,
  });
}

const CHART_SIZE = { width: 600, height: 260, theme: 'light' } as const;
/** What a chart shows (ms) before the alert. */
const BEFORE_ALERT_MS = 30 * 60_000;

/** The chart of the service that shows what the alert watches, from half an hour before it until the notification. */
async function drawAlertChart(
  { diagnostics, renderer }: ServiceParts,
  gridId: string,
  { serviceName, condition }: ChartSubject,
  { firedAt, at }: ChartRange,
): Promise<Uint8Array | undefined> {
  const chartId = findRequestChartId(gridId, serviceName, condition);
  const range = { fromMs: firedAt - BEFORE_ALERT_MS, toMs: Math.max(at, firedAt + 60_000) };
  const picture = await diagnostics.api.chartRenderInput(gridId, chartId, range);
  return picture && renderer.render(gridId, picture, CHART_SIZE);
}
