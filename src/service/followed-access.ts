import type { Parts } from '../composition.js';
import { areReadModelsEmbedded } from '../engines/engine-settings.js';
import type { Position } from '../streams/event-store.js';
import { hearAccess } from './heard-access.js';

/** Who was let out elsewhere is out here within a second, with or without hints. */
const LOOK_EVERY_MS = 500;

type Followed = Pick<Parts, 'settings' | 'feed' | 'lookUps' | 'access' | 'live' | 'eventStore' | 'log'>;

/**
 * Forgets who may do what whenever that changes, and ends the streams of those who may not any more: told by hints, and where the
 * read models are kept by others also by looking, and by the log. Answers how to end it.
 */
export function followAccess({ settings, feed, lookUps, access, live, eventStore, log: logger }: Followed): () => Promise<void> {
  const changed = (): void => {
    access.drop();
    live.review();
  };
  const hearing = feed.hints.subscribe((hint) => {
    if (hint.topic === 'projected' && hint.projection === 'access') changed();
  });
  const areElsewhere = !areReadModelsEmbedded(settings);
  const looking = areElsewhere ? setInterval(look, LOOK_EVERY_MS).unref() : undefined;
  const stopping = new AbortController();
  const parts = { log: eventStore, shownUpTo: () => lookUps.api.position('access'), news: access.news, changed, logger };
  const heard = areElsewhere ? hearAccess(parts, stopping.signal) : undefined;
  let seen: Position | undefined;
  let isLooking = false;

  function look(): void {
    if (isLooking) return;
    isLooking = true;
    const compare = (position: Position | undefined): void => {
      if (position !== undefined) access.news.isShown(position);
      if (position !== seen) changed();
      seen = position;
    };
    // What cannot be read now is read half a second later; until then nobody can be asked about new keys either.
    lookUps.api.position('access').then(compare, changed).finally(() => (isLooking = false));
  }

  return async () => {
    hearing.unsubscribe();
    clearInterval(looking);
    stopping.abort();
    await heard;
  };
}
