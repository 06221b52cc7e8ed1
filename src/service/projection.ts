import { areReadModelsEmbedded } from '../engines/engine-settings.js';
import type { Parts } from '../composition.js';
import type { Projected } from '../projections/projector.js';
import { START } from '../streams/event-store.js';
import { receivedRecords } from '../streams/received-records.js';
import { SIGNALS } from '../telemetry/signals.js';
import { callback } from '../threads/thread.js';
import { commitsOf } from './tracing.js';

/** Lets the projector of this process follow the log, and tells of what it does. `onHeld` is called after each change of what the process keeps. */
export async function startProjection(parts: Parts, onHeld: () => void): Promise<void> {
  const { settings, projector, metrics, holdings, backlog, selfObservation } = parts;
  let setAside = 0;
  metrics.parkedFrom(() => setAside);
  if (!areReadModelsEmbedded(settings)) metrics.sharesFrom(settings.projectorShares, () => holdings.count);
  const traced = commitsOf(selfObservation);
  const report = (commit: Projected): void => {
    const { group, share, position, records, lagMs, busyMs } = commit;
    traced(commit);
    for (const signal of SIGNALS) metrics.projected(signal, records[signal]);
    if (lagMs !== undefined) metrics.projectionLag(group, lagMs / 1000, share);
    if (group === 'telemetry') backlog?.projected(position, performance.now(), busyMs);
  };
  const held = (shares: readonly number[]): void => {
    for (const share of holdings.all) if (!shares.includes(share)) metrics.shareGone('telemetry', share);
    holdings.hold(shares);
    onHeld();
  };
  await projector.api.start(callback(report), callback((count: number) => (setAside = count)), callback(held));
}

/**
 * Counts what the start finds unprojected as backlog. It may be the whole log, so nobody should wait for the count. Where read models are
 * kept by other processes there is no such count: the log holds what they have not read, and nobody is refused for it.
 */
export async function countBehind({ settings, projector, eventStore, backlog, log }: Parts): Promise<void> {
  if (backlog === undefined || !areReadModelsEmbedded(settings)) return;
  try {
    const behind = (await projector.api.position('traces')) ?? START;
    for await (const { position, gridId, records } of receivedRecords(eventStore, behind)) backlog.accepted(position, records, gridId);
  } catch (error) {
    log.warn('the backlog of the start could not be counted', { error });
  }
}
