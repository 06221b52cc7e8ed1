import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision, Position, Revision } from '../../event-store.js';
import type { Frame } from './framing.js';
import { logPositionOf } from './positions.js';

const { Empty, StreamIdentifier, UUID } = sharedMessages;
const { AppendReq: Append, ReadReq: Read } = streamMessages;

/** As many as there are. */
export const ALL = Number.MAX_SAFE_INTEGER;

/** How many events the server looks at for one page or checkpoint of a filtered read. */
const SEARCH_WINDOW = 1_000;
const EVERY_STREAM_BUT_THE_SERVERS_OWN = '^[^$]';

export type Direction = 'forwards' | 'backwards';

/** An event as it goes to the server. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly frame: Frame;
}

/** One append: what it expects of the stream, then its events. */
export function appendRequest(stream: string, expected: ExpectedRevision, events: readonly ProposedEvent[]): AppendReq[] {
  const options = new Append.Options().setStreamIdentifier(identifier(stream));
  if (expected === 'any') options.setAny(new Empty());
  else if (expected === 'none') options.setNoStream(new Empty());
  else options.setRevision(String(expected));
  return [new Append().setOptions(options), ...events.map((event) => new Append().setProposedMessage(proposed(event)))];
}

/** Events of one stream from `from` on, inclusive; from its end where that is left out. */
export function streamRead(stream: string, from: Revision | 'end', limit: number, direction: Direction = 'forwards'): ReadReq {
  const place = new Read.Options.StreamOptions().setStreamIdentifier(identifier(stream));
  if (from === 'end') place.setEnd(new Empty());
  else place.setRevision(String(from));
  return new Read().setOptions(readOptions(direction).setStream(place).setCount(countOf(limit)).setNoFilter(new Empty()));
}

/** Events of all streams from `from` on. EventStoreDB gives the event that stands there, too. */
export function allRead(from: Position | 'end', prefixes: readonly string[] | undefined, limit: number, direction: Direction = 'forwards'): ReadReq {
  return new Read().setOptions(readOptions(direction).setAll(placeInAll(from)).setCount(countOf(limit)).setFilter(filterOf(prefixes)));
}

/** The same, without end. */
export function allSubscription(after: Position, prefixes: readonly string[] | undefined): ReadReq {
  const subscription = new Read.Options.SubscriptionOptions();
  return new Read().setOptions(readOptions('forwards').setAll(placeInAll(after)).setSubscription(subscription).setFilter(filterOf(prefixes)));
}

function readOptions(direction: Direction): ReadReq.Options {
  const asText = new Read.Options.UUIDOption().setString(new Empty());
  return new Read.Options().setReadDirection(direction === 'forwards' ? 0 : 1).setResolveLinks(false).setUuidOption(asText);
}

function placeInAll(from: Position | 'end'): ReadReq.Options.AllOptions {
  const place = new Read.Options.AllOptions();
  if (from === 'end') return place.setEnd(new Empty());
  const position = logPositionOf(from);
  if (position === undefined) return place.setStart(new Empty());
  return place.setPosition(new Read.Options.Position().setCommitPosition(position.commit).setPreparePosition(position.prepare));
}

function filterOf(prefixes: readonly string[] = []): ReadReq.Options.FilterOptions {
  const everything = prefixes.length === 0 || prefixes.includes('');
  const expression = new Read.Options.FilterOptions.Expression();
  if (everything) expression.setRegex(EVERY_STREAM_BUT_THE_SERVERS_OWN);
  else expression.setPrefixList([...prefixes]);
  return new Read.Options.FilterOptions().setStreamIdentifier(expression).setMax(SEARCH_WINDOW).setCheckpointintervalmultiplier(1);
}

function proposed({ id, type, frame }: ProposedEvent): AppendReq.ProposedMessage {
  const message = new Append.ProposedMessage().setId(new UUID().setString(id)).setData(frame.data).setCustomMetadata(frame.metadata);
  message.getMetadataMap().set('type', type).set('content-type', frame.contentType);
  return message;
}

function identifier(stream: string): InstanceType<typeof StreamIdentifier> {
  return new StreamIdentifier().setStreamName(Buffer.from(stream));
}

function countOf(limit: number): string {
  return String(Math.min(limit, ALL));
}
