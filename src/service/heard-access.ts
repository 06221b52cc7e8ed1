import { setTimeout as pause } from 'node:timers/promises';
import type { AccessNews } from '../auth/access-news.js';
import type { Logger } from '../log.js';
import { isDamagedEvent } from '../streams/damaged-event.js';
import { START, type EventReader, type Position } from '../streams/event-store.js';
import { GRID_PREFIX } from '../streams/stream-names.js';

const EVENTS_AT_ONCE = 100;
/** Engines that are not there are asked again after so long (ms). */
const RETRY_MS = 500;

export interface HeardAccessParts {
  readonly log: Pick<EventReader, 'subscribe'>;
  /** How far the read models are; undefined before their first event. */
  readonly shownUpTo: () => Promise<Position | undefined>;
  readonly news: AccessNews;
  /** Somebody may have lost a right. */
  readonly changed: () => void;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Hears from the log itself who may do what no more, from where the read models are. So a right that was taken away is gone
 * also while no projector follows the log. Resolves once `signal` is aborted.
 */
export async function hearAccess({ log, shownUpTo, news, changed, logger }: HeardAccessParts, signal: AbortSignal): Promise<void> {
  let after: Position | undefined;
  let isFailing = false;
  while (!signal.aborted) {
    try {
      after ??= (await shownUpTo()) ?? START;
      for await (const events of log.subscribe(after, { prefixes: [GRID_PREFIX], limit: EVENTS_AT_ONCE, bodies: false }, signal)) {
        isFailing = false;
        after = events[events.length - 1].position;
        if (events.filter((event) => news.hear(event)).length > 0) changed();
      }
    } catch (error) {
      if (isDamagedEvent(error)) after = error.position;
      if (!isFailing && !signal.aborted) logger.warn('who may do what cannot be heard from the log, which will be tried again', { error });
      isFailing = true;
      await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
