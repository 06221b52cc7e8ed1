import type { ServiceParts } from './composition.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import { type EventReader, type Position, START } from '../streams/event-store.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { PendingRevocations } from '../auth/pending-revocations.js';
import type { Logger } from '../self-telemetry/logger.js';
import { isDamagedEvent } from '../streams/damaged-event.js';
import { GRID_PREFIX } from '../streams/stream-names.js';

/** Who was let out elsewhere is out here within a second, with or without hints. */
const POLL_INTERVAL_MS = 500;

type WatchAccessParts = Pick<ServiceParts, 'settings' | 'feed' | 'lookUps' | 'access' | 'live' | 'eventStore' | 'log'>;

/**
 * Forgets who may do what whenever that changes, and ends the streams of those who may not any more: told by hints, and where the
 * read models are kept by others also by looking, and by the log. Answers how to end it.
 */
export function watchAccess({
  settings,
  feed,
  lookUps,
  access,
  live,
  eventStore,
  log: logger,
}: WatchAccessParts): () => Promise<void> {
  const changed = (): void => {
    access.invalidate();
    live.recheckAccess();
  };
  const hearing = feed.hints.subscribe((hint) => {
    if (hint.topic === 'projected' && hint.projection === 'access') changed();
  });
  const areElsewhere = !areReadModelsEmbedded(settings);
  const looking = areElsewhere ? setInterval(look, POLL_INTERVAL_MS).unref() : undefined;
  const stopping = new AbortController();
  const parts = {
    log: eventStore,
    shownUpTo: () => lookUps.api.position('access'),
    news: access.news,
    changed,
    logger,
  };
  const heard = areElsewhere ? followAccessEvents(parts, stopping.signal) : undefined;
  let seen: Position | undefined;
  let isLooking = false;

  function look(): void {
    if (isLooking) return;
    isLooking = true;
    const compare = (position: Position | undefined): void => {
      if (position !== undefined) access.news.discardUpTo(position);
      if (position !== seen) changed();
      seen = position;
    };
    // What cannot be read now is read half a second later; until then nobody can be asked about new keys either.
    lookUps.api
      .position('access')
      .then(compare, changed)
      .finally(() => (isLooking = false));
  }

  return async () => {
    hearing.unsubscribe();
    clearInterval(looking);
    stopping.abort();
    await heard;
  };
}

const BATCH_EVENTS = 100;

/** Engines that are not there are asked again after so long (ms). */
const RETRY_DELAY_MS = 500;

interface AccessEventFollowerParts {
  readonly log: Pick<EventReader, 'subscribe'>;
  /** How far the read models are; undefined before their first event. */
  readonly shownUpTo: () => Promise<Position | undefined>;
  readonly news: PendingRevocations;
  /** Somebody may have lost a right. */
  readonly changed: () => void;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Hears from the log itself who may do what no more, from where the read models are. So a right that was taken away is gone
 * also while no projector follows the log. Resolves once `signal` is aborted.
 */
export async function followAccessEvents(
  { log, shownUpTo, news, changed, logger }: AccessEventFollowerParts,
  signal: AbortSignal,
): Promise<void> {
  let after: Position | undefined;
  let isFailing = false;
  while (!signal.aborted) {
    try {
      after ??= (await shownUpTo()) ?? START;
      for await (const events of log.subscribe(
        after,
        { prefixes: [GRID_PREFIX], limit: BATCH_EVENTS, bodies: false },
        signal,
      )) {
        isFailing = false;
        after = events[events.length - 1].position;
        if (events.filter((event) => news.apply(event)).length > 0) changed();
      }
    } catch (error) {
      if (isDamagedEvent(error)) after = error.position;
      if (!isFailing && !signal.aborted)
        logger.warn('who may do what cannot be heard from the log, which will be tried again', { error });
      isFailing = true;
      await pause(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
