import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision, Position, Revision } from '../../event-store.js';
import { type Frame, toLogPosition } from './event-wire-format.js';

const { Empty, StreamIdentifier, UUID } = sharedMessages;
const { AppendReq: Append, ReadReq: Read } = streamMessages;

/** Reads all events. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Number of events that the server searches per page or checkpoint of a filtered read. */
const SEARCH_WINDOW = 1_000;
const NON_SYSTEM_STREAMS = '^[^$]';
export type Direction = 'forwards' | 'backwards';

/** An event to send to the server. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly frame: Frame;
}

/** Messages of one append: the expected revision, then the events. */
export function buildAppendRequest(
  stream: string,
  expected: ExpectedRevision,
  events: readonly ProposedEvent[],
): AppendReq[] {
  const options = new Append.Options().setStreamIdentifier(buildStreamIdentifier(stream));
  if (expected === 'any') options.setAny(new Empty());
  else if (expected === 'none') options.setNoStream(new Empty());
  else options.setRevision(String(expected));
  return [
    new Append().setOptions(options),
    ...events.map((event) => new Append().setProposedMessage(buildProposedMessage(event))),
  ];
}

/** Reads events of one stream from `from` on, inclusive, or from its end. */
export function buildStreamRead(
  stream: string,
  from: Revision | 'end',
  limit: number,
  direction: Direction = 'forwards',
): ReadReq {
  const options = new Read.Options.StreamOptions().setStreamIdentifier(buildStreamIdentifier(stream));
  if (from === 'end') options.setEnd(new Empty());
  else options.setRevision(String(from));
  return new Read().setOptions(
    buildReadOptions(direction).setStream(options).setCount(toCount(limit)).setNoFilter(new Empty()),
  );
}

/** Reads events of all streams from `from` on. EventStoreDB also returns the event at `from`. */
export function buildAllRead(
  from: Position | 'end',
  prefixes: readonly string[] | undefined,
  limit: number,
  direction: Direction = 'forwards',
): ReadReq {
  return new Read().setOptions(
    buildReadOptions(direction).setAll(buildAllOptions(from)).setCount(toCount(limit)).setFilter(buildFilter(prefixes)),
  );
}

/** Subscribes to all streams from `after` on. */
export function buildAllSubscription(after: Position, prefixes: readonly string[] | undefined): ReadReq {
  const subscription = new Read.Options.SubscriptionOptions();
  return new Read().setOptions(
    buildReadOptions('forwards')
      .setAll(buildAllOptions(after))
      .setSubscription(subscription)
      .setFilter(buildFilter(prefixes)),
  );
}

function buildReadOptions(direction: Direction): ReadReq.Options {
  const asText = new Read.Options.UUIDOption().setString(new Empty());
  return new Read.Options()
    .setReadDirection(direction === 'forwards' ? 0 : 1)
    .setResolveLinks(false)
    .setUuidOption(asText);
}

function buildAllOptions(from: Position | 'end'): ReadReq.Options.AllOptions {
  const options = new Read.Options.AllOptions();
  if (from === 'end') return options.setEnd(new Empty());
  const position = toLogPosition(from);
  if (position === undefined) return options.setStart(new Empty());
  return options.setPosition(
    new Read.Options.Position().setCommitPosition(position.commit).setPreparePosition(position.prepare),
  );
}

function buildFilter(prefixes: readonly string[] = []): ReadReq.Options.FilterOptions {
  const everything = prefixes.length === 0 || prefixes.includes('');
  const expression = new Read.Options.FilterOptions.Expression();
  if (everything) expression.setRegex(NON_SYSTEM_STREAMS);
  else expression.setPrefixList([...prefixes]);
  return new Read.Options.FilterOptions()
    .setStreamIdentifier(expression)
    .setMax(SEARCH_WINDOW)
    .setCheckpointintervalmultiplier(1);
}

function buildProposedMessage({ id, type, frame }: ProposedEvent): AppendReq.ProposedMessage {
  const message = new Append.ProposedMessage()
    .setId(new UUID().setString(id))
    .setData(frame.data)
    .setCustomMetadata(frame.metadata);
  message.getMetadataMap().set('type', type).set('content-type', frame.contentType);
  return message;
}

function buildStreamIdentifier(stream: string): InstanceType<typeof StreamIdentifier> {
  return new StreamIdentifier().setStreamName(Buffer.from(stream));
}

function toCount(limit: number): string {
  return String(Math.min(limit, NO_LIMIT));
}
