import 'reflect-metadata';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { container, instanceCachingFactory, type InjectionToken } from 'tsyringe';
import type { Settings } from '../config/settings.js';
import type { ReloadingCertificate } from '../http/connection/reloading-certificate.js';
import { LiveStreamHub } from '../http/live/live-stream-hub.js';
import { discardUnusableStore } from '../read-models/adapters/sqlite/read-model-file.js';
import { withMetrics, withTracing } from '../self-telemetry/event-store-instrumentation.js';
import type { Logger } from '../self-telemetry/logger.js';
import { PrometheusMetrics } from '../self-telemetry/prometheus-metrics.js';
import type { EventStore } from '../streams/event-store.js';
import type { LiveFeed } from '../streams/live/live-feed.js';
import { ShardMap } from '../streams/shard-map.js';
import { createConfiguredSpeech, registerAssistant } from './compose-assistant.js';
import { createProjectionProgress, withAccessRecords } from './command-visibility.js';
import { registerAdministration, registerCommands } from './compose-commands.js';
import { registerIdentity } from './compose-identity.js';
import { registerIngestion } from './compose-ingestion.js';
import { registerPolicies } from './compose-policies.js';
import { startSelfTelemetry } from './compose-self-telemetry.js';
import { openLiveFeed } from './engines/coordination.js';
import { areReadModelsEmbedded, READ_MODELS_FILE } from './engines/engine-settings.js';
import { openEventLog } from './engines/event-log.js';
import { OwnedShards } from './owned-shards.js';
import { PARTS, type RegisterPart, type ServiceParts } from './service-parts.js';
import { ChartRenderPool } from './threads/chart-render-pool.js';
import { createLogScrub } from './log-scrub.js';
import type { ServiceThreads } from './threads/service-threads.js';

/** Charts that may wait for a render thread: about one second of work for one thread. */
const MAX_QUEUED_RENDERS = 32;

export interface CompositionOptions {
  /** Certificate of the ingestion ports; absent: they serve plain text. */
  readonly certificate?: ReloadingCertificate | undefined;
  /** Called when the embedded event log fails and cannot recover. */
  readonly onLost: (error: Error) => void;
}

/**
 * Wires the service on the engines that the settings name. Opens the event log, and thereby locks the data folder; no
 * other part does I/O before its first use. Rejects with code `unavailable` when another process holds the data folder.
 */
export async function composeService(
  settings: Settings,
  log: Logger,
  threads: ServiceThreads,
  { certificate, onLost }: CompositionOptions,
): Promise<ServiceParts> {
  const parts = container.createChildContainer();
  const register: RegisterPart = (token, create) =>
    parts.register(token, { useFactory: instanceCachingFactory(create) });
  const feed = await openLiveFeed(
    settings,
    `hindsight ${[...settings.roles].join(',')} ${hostname()}:${process.pid}`,
    log,
  );
  const metrics = new PrometheusMetrics();
  parts.registerInstance(PARTS.settings, settings);
  parts.registerInstance(PARTS.log, log);
  parts.registerInstance(PARTS.metrics, metrics);
  parts.registerInstance<LiveFeed>(PARTS.feed, feed);
  parts.registerInstance(PARTS.projector, threads.projector);
  parts.registerInstance(PARTS.reader, threads.reader);
  parts.registerInstance(PARTS.accessThread, threads.access);
  parts.registerInstance(PARTS.diagnostics, threads.diagnostics);
  const eventStore = await openEventLog(settings, feed, onLost, (text) => log.warn(text));
  const { checkAfter } = eventStore;
  const logScrub =
    checkAfter && createLogScrub(settings, { checkAfter: (after) => checkAfter.call(eventStore, after) }, log);
  register(PARTS.logScrub, () => logScrub);
  const measuredStore = withMetrics(eventStore, metrics);
  const selfTelemetry = await startSelfTelemetry(settings, metrics, log);
  register(PARTS.selfTelemetry, () => selfTelemetry);
  parts.registerInstance(
    PARTS.eventStore,
    selfTelemetry === undefined ? measuredStore : withTracing(measuredStore, selfTelemetry.tracer, selfTelemetry.own),
  );
  if (areReadModelsEmbedded(settings)) await discardUnusableReadModels(settings, eventStore, log);
  register(PARTS.progress, (resolved) =>
    withAccessRecords(createProjectionProgress(settings, threads), resolved.resolve(PARTS.accessLog)),
  );
  parts.registerInstance(PARTS.ownedShards, new OwnedShards(new ShardMap(settings.projectorShares)));
  parts.registerInstance(PARTS.speech, await createConfiguredSpeech(settings));
  registerIdentity(register, settings, log);
  registerAdministration(register, log);
  register(PARTS.live, () => new LiveStreamHub({ hints: feed.hints, diagnostics: threads.diagnostics.api }));
  register(
    PARTS.renderer,
    (parts) =>
      new ChartRenderPool({
        threads: Math.max(1, availableParallelism() - 1),
        maxWaiting: MAX_QUEUED_RENDERS,
        findOwner: async (gridId) => (await parts.resolve(PARTS.access).findGrid(gridId))?.ownerId ?? gridId,
      }),
  );
  registerPolicies(register);
  registerCommands(register, settings);
  registerAssistant(register, settings, log);
  registerIngestion(register, settings, log, certificate);
  return Object.fromEntries(
    Object.entries<InjectionToken<unknown>>(PARTS).map(([name, token]) => [name, parts.resolve(token)]),
  ) as unknown as ServiceParts;
}

/** Removes embedded read models that are damaged or ahead of the event log: the projector then rebuilds them. */
async function discardUnusableReadModels({ dataDir }: Settings, eventStore: EventStore, log: Logger): Promise<void> {
  const reason = discardUnusableStore(join(dataDir, READ_MODELS_FILE), await eventStore.head());
  if (reason !== undefined) log.warn('Read models are unusable; rebuilding them from the event log', { reason });
}
