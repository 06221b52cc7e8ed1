import { areReadModelsEmbedded } from './engines/engine-settings.js';
import type { ServiceParts } from './service-parts.js';
import type { CommitReport } from '../projections/engine/projector-types.js';
import { START } from '../streams/event-store.js';
import { readReceivedRecords } from '../streams/event-log-scans.js';
import { SIGNALS } from '../telemetry/signals.js';
import { registerRecordMetrics } from './record-metrics.js';
import { proxyCallback } from './threads/worker-thread.js';
import { createCommitTracer } from './compose-self-telemetry.js';

/**
 * Starts the projector of this process and reports its commits as metrics, spans and backlog. `onOwnedShardsChanged` is
 * called after each change of the owned shards.
 */
export async function startProjection(parts: ServiceParts, onOwnedShardsChanged: () => void): Promise<void> {
  const { settings, projector, metrics, ownedShards, backlog, selfTelemetry } = parts;
  let deadLetters = 0;
  metrics.registerDeadLetters(() => deadLetters);
  if (!areReadModelsEmbedded(settings)) metrics.registerShards(settings.projectorShares, () => ownedShards.count);
  registerRecordMetrics(parts);
  const traceCommit = selfTelemetry && createCommitTracer(selfTelemetry);
  const report = (commit: CommitReport): void => {
    const { group, shard, position, records, lagMs, busyMs } = commit;
    traceCommit?.(commit);
    for (const signal of SIGNALS) metrics.countProjected(signal, records[signal]);
    if (lagMs !== undefined) metrics.recordProjectionLag(group, lagMs / 1000, shard);
    if (group === 'telemetry') backlog?.recordProjected(position, performance.now(), busyMs);
  };
  const updateOwnedShards = (shards: readonly number[]): void => {
    for (const shard of ownedShards.all) if (!shards.includes(shard)) metrics.removeShard('telemetry', shard);
    ownedShards.replace(shards);
    onOwnedShardsChanged();
  };
  await projector.api.start(
    proxyCallback(report),
    proxyCallback((count: number) => (deadLetters = count)),
    proxyCallback(updateOwnedShards),
  );
}

/** What was accepted before the start counts against nobody: owners are looked up while requests are served. */
const UNKNOWN_OWNER = '';

/**
 * Adds the events that were not yet projected at the start to the ingest backlog. Runs beside ingestion, as it may read
 * the whole log. With shared read models nothing is counted: other processes project, and requests are not refused for
 * their lag.
 */
export async function countInitialBacklog({
  settings,
  projector,
  eventStore,
  backlog,
  log,
}: ServiceParts): Promise<void> {
  if (backlog === undefined || !areReadModelsEmbedded(settings)) return;
  try {
    const projected = (await projector.api.position('traces')) ?? START;
    for await (const { position, gridId, records } of readReceivedRecords(eventStore, projected))
      backlog.begin({ ownerId: UNKNOWN_OWNER, gridId }, records).settle(position);
  } catch (error) {
    log.warn('Cannot count the ingest backlog at the start', { error });
  }
}
