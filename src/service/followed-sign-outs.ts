import type { Parts } from '../composition.js';
import { isLogEmbedded } from '../engines/engine-settings.js';
import { HeardSignOuts } from './heard-sign-outs.js';

/** Who signs out anywhere is out here, as long as this process takes sessions at all. Resolves, before anybody is answered, to how to end it. */
export async function followSignOuts({ settings, eventStore: log, endedSessions: ended, live, log: logger }: Pick<Parts, 'settings' | 'eventStore' | 'endedSessions' | 'live' | 'log'>): Promise<() => void> {
  const stopping = new AbortController();
  if (settings.roles.has('api')) await new HeardSignOuts({ log, ended, isShared: !isLogEmbedded(settings), changed: () => live.review(), logger }).start(stopping.signal);
  return () => stopping.abort();
}
