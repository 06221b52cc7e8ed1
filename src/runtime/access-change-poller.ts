import type { ServiceParts } from './service-parts.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import { type EventReader, type Position, START } from '../streams/event-store.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { PendingRevocations } from '../auth/cached-access-control.js';
import type { Logger } from '../self-telemetry/logger.js';
import { isDamagedEvent } from '../streams/damaged-event.js';
import { GRID_PREFIX } from '../streams/stream-names.js';

/**
 * Interval (ms) at which the position of the access read model is polled: half of the second within which a revocation
 * must take effect in every process.
 */
const POLL_INTERVAL_MS = 500;

type WatchAccessParts = Pick<
  ServiceParts,
  'settings' | 'feed' | 'accessThread' | 'access' | 'live' | 'eventStore' | 'log'
>;

/**
 * Drops cached access rights whenever they change, and ends the live streams of users who lost theirs. Changes arrive
 * as hints; with shared read models also by polling their position and by reading access events from the log. Returns a
 * function that stops all three.
 */
export function watchAccess({
  settings,
  feed,
  accessThread,
  access,
  live,
  eventStore,
  log: logger,
}: WatchAccessParts): () => Promise<void> {
  const onChange = (): void => {
    access.invalidate();
    live.recheckAccess();
  };
  const hintSubscription = feed.hints.subscribe((hint) => {
    if (hint.topic === 'projected' && hint.projection === 'access') onChange();
  });
  const hasSharedReadModels = !areReadModelsEmbedded(settings);
  const pollTimer = hasSharedReadModels ? setInterval(poll, POLL_INTERVAL_MS).unref() : undefined;
  const abort = new AbortController();
  const parts = {
    log: eventStore,
    readModelPosition: () => accessThread.api.position('access'),
    revocations: access.pendingRevocations,
    onChange,
    logger,
  };
  const following = hasSharedReadModels ? followAccessEvents(parts, abort.signal) : undefined;
  let lastPosition: Position | undefined;
  let isPolling = false;

  function poll(): void {
    if (isPolling) return;
    isPolling = true;
    const compare = (position: Position | undefined): void => {
      if (position !== undefined) access.pendingRevocations.discardUpTo(position);
      if (position !== lastPosition) onChange();
      lastPosition = position;
    };
    // After a failure the next poll retries. Cached rights are dropped meanwhile: checking rights then fails, rather
    // than using stale ones.
    accessThread.api
      .position('access')
      .then(compare, onChange)
      .finally(() => (isPolling = false));
  }

  return async () => {
    hintSubscription.unsubscribe();
    clearInterval(pollTimer);
    abort.abort();
    await following;
  };
}

const BATCH_EVENTS = 100;

/** Pause (ms) before reading a failing event log again. */
const RETRY_DELAY_MS = 500;

interface AccessEventFollowerParts {
  readonly log: Pick<EventReader, 'subscribe'>;
  /** Position of the access read model; undefined before its first event. */
  readonly readModelPosition: () => Promise<Position | undefined>;
  readonly revocations: PendingRevocations;
  /** Called when someone may have lost a right. */
  readonly onChange: () => void;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Reads revocations directly from the event log, starting at the position of the access read model. Revoked rights thus
 * end even while no projector runs. Skips damaged events. Resolves once `signal` is aborted.
 */
export async function followAccessEvents(
  { log, readModelPosition, revocations, onChange, logger }: AccessEventFollowerParts,
  signal: AbortSignal,
): Promise<void> {
  let after: Position | undefined;
  let isFailing = false;
  while (!signal.aborted) {
    try {
      after ??= (await readModelPosition()) ?? START;
      for await (const events of log.subscribe(
        after,
        { prefixes: [GRID_PREFIX], limit: BATCH_EVENTS, bodies: false },
        signal,
      )) {
        isFailing = false;
        after = events[events.length - 1].position;
        if (events.filter((event) => revocations.apply(event)).length > 0) onChange();
      }
    } catch (error) {
      if (isDamagedEvent(error)) after = error.position;
      if (!isFailing && !signal.aborted)
        logger.warn('Cannot read access changes from the event log; retrying', { error });
      isFailing = true;
      await pause(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
