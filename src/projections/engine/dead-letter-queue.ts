import {
  deadLetterCollection,
  type DeadLetterDocument,
  type DeadLetterRecords,
  deadLetterId,
  LIVE_DEAD_LETTERS,
} from '../../read-models/documents/dead-letter-documents.js';
import type { Collection, DocumentChange, ReadModelReader } from '../../read-models/read-model-store.js';
import type { DamagedEvent } from '../../streams/damaged-event.js';
import { type Position, type RecordedEvent, START } from '../../streams/event-store.js';
import type { TelemetryReceived } from '../../streams/events/telemetry-events.js';
import { eq } from '../../read-models/document-filter.js';
import type { ProjectionGroup } from '../projection-groups.js';
import type { Projection } from '../projection.js';
import { findSignal } from '../telemetry/telemetry-fold.js';

/** Where a run stores the events that it skips because it cannot fold them. */
export interface DeadLetterQueue {
  readonly collection: Collection<DeadLetterDocument>;
  /**
   * Projections of the run that miss an event of this type when it is skipped. `undefined`: the event cannot be read.
   */
  affectedProjections(type: string | undefined): readonly string[];
  /** Whether this event is known to crash the process: it is skipped without an attempt. */
  isFatal(position: Position): boolean;
}

/** What a run knows about an event that it skips. */
export interface DeadLetterContext {
  readonly group: string;
  /** Checkpoint of the run. */
  readonly after: Position | undefined;
  readonly isFatal?: boolean;
  readonly isDamaged?: boolean;
}

/** For a run outside a projection group: no event is known to be fatal. */
export const DEFAULT_DEAD_LETTER_QUEUE: DeadLetterQueue = {
  collection: LIVE_DEAD_LETTERS,
  affectedProjections: () => [],
  isFatal: () => false,
};

/** A dead letter for an event that fails to fold or crashes the process. */
export function createDeadLetter(
  event: RecordedEvent,
  error: string,
  { group, after, isFatal, isDamaged }: DeadLetterContext,
  queue: DeadLetterQueue,
): DeadLetterDocument {
  const { position, type, stream, revision, recordedAt: at } = event;
  const records = findRecords(event);
  return {
    position,
    projection: group,
    lacking: queue.affectedProjections(type),
    after: after ?? START,
    type,
    stream,
    revision,
    ...(records !== undefined && { records }),
    error,
    at,
    ...(isFatal === true && { fatal: true }),
    ...(isDamaged === true && { damaged: true }),
  };
}

/** Undefined for an event other than an export request, or if its data does not say how many records it has. */
function findRecords(event: RecordedEvent): DeadLetterRecords | undefined {
  const signal = findSignal(event);
  const { gridId, accepted, rejected } = event.data as Partial<TelemetryReceived>;
  if (signal === undefined || gridId === undefined || accepted === undefined || rejected === undefined)
    return undefined;
  return { gridId, signal, accepted, rejected: rejected.length };
}

/** A dead letter for an event that the log cannot read. */
export function createDamagedEventDeadLetter(
  { position, message: error }: DamagedEvent,
  { group, after }: DeadLetterContext,
  queue: DeadLetterQueue,
): DeadLetterDocument {
  const lacking = queue.affectedProjections(undefined);
  return { position, projection: group, lacking, after: after ?? START, error, damaged: true };
}

export function putDeadLetter(
  collection: Collection<DeadLetterDocument>,
  document: DeadLetterDocument,
): DocumentChange {
  return { kind: 'put', collection, id: deadLetterId(document), document };
}

/** A skipped event as operators see it. Plain data. */
export type DeadLetter = DeadLetterDocument & { readonly lacking: readonly string[] };

/** Dead letters of the live read models, in log order. */
export async function listDeadLetters(
  groups: readonly ProjectionGroup[],
  store: ReadModelReader,
): Promise<DeadLetter[]> {
  const documents = await store.find(LIVE_DEAD_LETTERS, {});
  const events = documents.map(({ document }) => ({
    ...document,
    lacking: document.lacking ?? projectionNames(groups.find(({ name }) => name === document.projection)),
  }));
  return events.sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** Positions of the group's dead letters that are known to crash the process. */
export async function findFatalPositions(
  { name }: ProjectionGroup,
  store: ReadModelReader,
): Promise<ReadonlySet<Position>> {
  const documents = await store.find(LIVE_DEAD_LETTERS, { filter: eq('projection', name) });
  return new Set(documents.filter(({ document }) => document.fatal === true).map(({ document }) => document.position));
}

/** The dead-letter queue of a run of some projections of the group. */
export function createDeadLetterQueue(
  group: ProjectionGroup,
  run: readonly string[],
  collection: Collection<DeadLetterDocument>,
  fatal?: ReadonlySet<Position>,
): DeadLetterQueue {
  return {
    collection,
    affectedProjections: (type) => {
      const affected = (type === undefined ? undefined : group.affectedProjections?.(type)) ?? group.projections;
      const names = affected.map(({ name }) => name).filter((name) => run.includes(name));
      return names.length > 0 ? names : run;
    },
    isFatal: (position) => fatal?.has(position) ?? false,
  };
}

/**
 * Changes to the live dead letters when a rebuilt version goes live: the projection misses exactly the events that its
 * rebuild skipped. A dead letter that no projection misses any more is deleted.
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
    const rebuilt = built.get(document.position);
    built.delete(document.position);
    const others = (document.lacking ?? projectionNames(group)).filter((each) => each !== name);
    const lacking = rebuilt === undefined ? others : [...others, name];
    if (lacking.length > 0) return putDeadLetter(LIVE_DEAD_LETTERS, { ...document, ...rebuilt, lacking });
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
