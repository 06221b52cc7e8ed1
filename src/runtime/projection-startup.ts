import { areReadModelsEmbedded } from './engines/engine-settings.js';
import type { ServiceParts } from './composition.js';
import type { Projected } from '../projections/engine/projector.js';
import { START } from '../streams/event-store.js';
import { readReceivedRecords } from '../streams/event-log-scans.js';
import { SIGNALS } from '../telemetry/signals.js';
import { proxyCallback } from './threads/worker-thread.js';
import { createCommitTracer } from './compose-self-telemetry.js';

/** Lets the projector of this process follow the log, and tells of what it does. `onHeld` is called after each change of what the process keeps. */
export async function startProjection(parts: ServiceParts, onHeld: () => void): Promise<void> {
  const { settings, projector, metrics, holdings, backlog, selfObservation } = parts;
  let setAside = 0;
  metrics.registerDeadLetters(() => setAside);
  if (!areReadModelsEmbedded(settings)) metrics.registerShards(settings.projectorShares, () => holdings.count);
  const traced = createCommitTracer(selfObservation);
  const report = (commit: Projected): void => {
    const { group, share, position, records, lagMs, busyMs } = commit;
    traced(commit);
    for (const signal of SIGNALS) metrics.countProjected(signal, records[signal]);
    if (lagMs !== undefined) metrics.recordProjectionLag(group, lagMs / 1000, share);
    if (group === 'telemetry') backlog?.recordProjected(position, performance.now(), busyMs);
  };
  const held = (shares: readonly number[]): void => {
    for (const share of holdings.all) if (!shares.includes(share)) metrics.forgetShard('telemetry', share);
    holdings.replace(shares);
    onHeld();
  };
  await projector.api.start(
    proxyCallback(report),
    proxyCallback((count: number) => (setAside = count)),
    proxyCallback(held),
  );
}

/**
 * Counts what the start finds unprojected as backlog. It may be the whole log, so nobody should wait for the count. Where read models are
 * kept by other processes there is no such count: the log holds what they have not read, and nobody is refused for it.
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
    const behind = (await projector.api.position('traces')) ?? START;
    for await (const { position, gridId, records } of readReceivedRecords(eventStore, behind))
      backlog.recordAccepted(position, records, gridId);
  } catch (error) {
    log.warn('the backlog of the start could not be counted', { error });
  }
}
