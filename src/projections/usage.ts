import { USAGE_PROJECTION, USAGE_VERSION, usageCollections } from '../read-models/usage.js';
import type { ReadModelReader } from '../read-models/store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import { GRID_PREFIX, SESSIONS_PREFIX, SPEECH_PREFIX, USAGE_PREFIX } from '../streams/stream-names.js';
import { foldDocuments, type DocumentFold } from './documents.js';
import { checkpointName, type Projection } from './projection.js';
import {
  dayIdOf, evolveDay, evolveLimits, evolvePrompts, evolveSession, evolveSpeech, limitsIdOf, promptsIdOf, sessionIdOf, speechIdOf, type AccountedEvent,
} from './usage-documents.js';

/** What the assistant may be used for and was used for: limits, sessions, prompts, energy and speech. */
export const usage: Projection = {
  name: USAGE_PROJECTION,
  schema: USAGE_VERSION,
  contents: (version) => {
    const { limits, sessions, prompts, speech, days } = usageCollections(version);
    return [limits, sessions, prompts, speech, days].map((collection) => ({ kind: 'documents', collection }));
  },
};

export function usageRun(version: number, store: ReadModelReader) {
  const { limits, sessions, prompts, speech, days } = usageCollections(version);
  const folds = [
    { collection: limits, idOf: limitsIdOf, evolve: evolveLimits },
    { collection: sessions, idOf: sessionIdOf, evolve: evolveSession },
    { collection: prompts, idOf: promptsIdOf, evolve: evolvePrompts },
    { collection: speech, idOf: speechIdOf, evolve: evolveSpeech },
    { collection: days, idOf: dayIdOf, evolve: evolveDay },
  ] as DocumentFold<object, AccountedEvent>[];
  return {
    name: usage.name,
    group: usage.name,
    prefixes: [GRID_PREFIX, SESSIONS_PREFIX, USAGE_PREFIX, SPEECH_PREFIX],
    checkpoints: [checkpointName(usage.name, version)],
    fold: foldDocuments(folds, store, accountedEvents),
  };
}

/** Streams of Grids hold other events too: they are passed by in the folds. */
function accountedEvents({ type, data }: RecordedEvent): readonly AccountedEvent[] {
  return [{ type, data } as AccountedEvent];
}
