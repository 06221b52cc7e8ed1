import {
  deadLetterCollection,
  type DeadLetterDocument,
  deadLetterId,
  LIVE_DEAD_LETTERS,
} from '../../read-models/documents/dead-letter-documents.js';
import type { Collection, DocumentChange, ReadModelReader } from '../../read-models/read-model-store.js';
import type { DamagedEvent } from '../../streams/damaged-event.js';
import { type Position, type RecordedEvent, START } from '../../streams/event-store.js';
import { eq } from '../../read-models/document-filter.js';
import type { ProjectionGroup } from '../projection-groups.js';
import type { Projection } from '../projection.js';

/** Where a run notes the events that it passes by. */
export interface DeadLetterQueue {
  readonly collection: Collection<DeadLetterDocument>;
  /** Projections of the run that lack an event of this type when it is passed by; undefined: it cannot be read. */
  affectedProjections(type: string | undefined): readonly string[];
  /** Whether this event is known to end the process: it is passed by without a try. */
  isFatal(position: Position): boolean;
}

/** What a run knows of an event that it passes by. */
export interface DeadLetterContext {
  readonly group: string;
  /** Checkpoint of the run. */
  readonly after: Position | undefined;
  readonly isFatal?: boolean;
}

/** For a run of its own: nothing is known before. */
export const DEFAULT_DEAD_LETTER_QUEUE: DeadLetterQueue = {
  collection: LIVE_DEAD_LETTERS,
  affectedProjections: () => [],
  isFatal: () => false,
};

/** An event whose fold fails, or ends the process. */
export function createDeadLetter(
  { position, type, stream, revision, recordedAt: at }: RecordedEvent,
  error: string,
  { group, after, isFatal }: DeadLetterContext,
  parking: DeadLetterQueue,
): DeadLetterDocument {
  const fatal = isFatal === true ? ({ fatal: true } as const) : {};
  return {
    position,
    projection: group,
    lacking: parking.affectedProjections(type),
    after: after ?? START,
    type,
    stream,
    revision,
    error,
    at,
    ...fatal,
  };
}

/** An event that the log cannot give. */
export function createDamagedEventDeadLetter(
  { position, message: error }: DamagedEvent,
  { group, after }: DeadLetterContext,
  parking: DeadLetterQueue,
): DeadLetterDocument {
  return { position, projection: group, lacking: parking.affectedProjections(undefined), after: after ?? START, error };
}

export function putDeadLetter(
  collection: Collection<DeadLetterDocument>,
  document: DeadLetterDocument,
): DocumentChange {
  return { kind: 'put', collection, id: deadLetterId(document), document };
}

/** An event that was passed by, as operators see it. Plain data. */
export type DeadLetter = DeadLetterDocument & { readonly lacking: readonly string[] };

/** All that read models in use lack, in the order of the log. */
export async function listDeadLetters(
  groups: readonly ProjectionGroup[],
  store: ReadModelReader,
): Promise<DeadLetter[]> {
  const found = await store.find(LIVE_DEAD_LETTERS, {});
  const events = found.map(({ document }) => ({
    ...document,
    lacking: document.lacking ?? projectionNames(groups.find(({ name }) => name === document.projection)),
  }));
  return events.sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** Positions of the group's parked events that are known to end the process. */
export async function findFatalPositions(
  { name }: ProjectionGroup,
  store: ReadModelReader,
): Promise<ReadonlySet<Position>> {
  const found = await store.find(LIVE_DEAD_LETTERS, { filter: eq('projection', name) });
  return new Set(found.filter(({ document }) => document.fatal === true).map(({ document }) => document.position));
}

/** How a run of these projections of the group parks. */
export function createDeadLetterQueue(
  group: ProjectionGroup,
  run: readonly string[],
  collection: Collection<DeadLetterDocument>,
  fatal?: ReadonlySet<Position>,
): DeadLetterQueue {
  return {
    collection,
    affectedProjections: (type) => {
      const concerned = (type === undefined ? undefined : group.affectedProjections?.(type)) ?? group.projections;
      const names = concerned.map(({ name }) => name).filter((name) => run.includes(name));
      return names.length > 0 ? names : run;
    },
    isFatal: (position) => fatal?.has(position) ?? false,
  };
}

/**
 * What a swap changes: the projection lacks what its rebuild passed by and nothing else. An event that no projection lacks
 * any more is not parked any more.
 */
export async function updateDeadLettersAtSwap(
  { name }: Projection,
  group: ProjectionGroup,
  owner: string,
  store: ReadModelReader,
): Promise<DocumentChange[]> {
  const live = await store.find(LIVE_DEAD_LETTERS, { filter: eq('projection', group.name) });
  const built = new Map(
    (await store.find(deadLetterCollection(owner), {})).map(({ document }) => [document.position, document]),
  );
  const changes = live.map(({ document }): DocumentChange => {
    const again = built.get(document.position);
    built.delete(document.position);
    const others = (document.lacking ?? projectionNames(group)).filter((each) => each !== name);
    const lacking = again === undefined ? others : [...others, name];
    if (lacking.length > 0) return putDeadLetter(LIVE_DEAD_LETTERS, { ...document, ...again, lacking });
    return { kind: 'delete', collection: LIVE_DEAD_LETTERS, id: deadLetterId(document) };
  });
  return [
    ...changes,
    ...[...built.values()].map((document) => putDeadLetter(LIVE_DEAD_LETTERS, { ...document, lacking: [name] })),
  ];
}

function projectionNames(group: ProjectionGroup | undefined): string[] {
  return group?.projections.map(({ name }) => name) ?? [];
}
