import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { EventEmitter } from 'node:events';
import { placeOf } from './log.js';
import type { ServerLog, Written } from './log.js';
import { caughtUpAnswer, checkpointAnswer, confirmationAnswer, eventAnswer, nameOf, notFoundAnswer } from './wire.js';

type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

const { BACKWARDS } = streamMessages.ReadReq.Options.ReadDirection;

/** A finite read. Calls `sent` for each event. */
export async function read(call: ReadCall, log: ServerLog, sent: () => void): Promise<void> {
  const options = call.request.getOptions()!;
  const limit = Number(options.getCount());
  const found = options.hasStream() ? streamEvents(options, log) : allEvents(options, log);
  if (found === undefined) await write(call, notFoundAnswer(nameOf(options.getStream()!.getStreamIdentifier())));
  let written = 0;
  for (const event of found ?? []) {
    if (written++ === limit || !(await write(call, eventAnswer(event)))) break;
    sent();
  }
  call.end();
}

/**
 * A subscription to `$all`: a confirmation, the events after the given position, a checkpoint after each window of
 * non-matching events, and one message when it has caught up.
 */
export async function subscribe(call: ReadCall, log: ServerLog, checkpointed: () => void): Promise<void> {
  const options = call.request.getOptions()!;
  const matches = filterOf(options);
  const window = (options.getFilter()?.getMax() || 32) * (options.getFilter()?.getCheckpointintervalmultiplier() || 1);
  let after = Number(options.getAll()!.getPosition()?.getCommitPosition() ?? 0);
  let [passed, caughtUp] = [0, false];
  await write(call, confirmationAnswer());
  while (!hasEnded(call)) {
    const event = log.all[firstAfter(log.all, after)];
    if (event === undefined) {
      if (!caughtUp) await write(call, caughtUpAnswer());
      caughtUp = true;
      await appendOrEnd(call, log, after);
      continue;
    }
    after = event.position;
    passed = matches(event) ? 0 : passed + 1;
    if (matches(event) && !(await write(call, eventAnswer(event)))) return;
    if (passed === window) {
      passed = 0;
      await write(call, checkpointAnswer(after));
      checkpointed();
    }
  }
}

/** Lazily, since most reads need few events. Undefined if there is no such stream. */
function streamEvents(options: ReadReq.Options, log: ServerLog): Iterable<Written> | undefined {
  const place = options.getStream()!;
  const events = log.stream(nameOf(place.getStreamIdentifier()));
  if (events === undefined) return undefined;
  return options.getReadDirection() === BACKWARDS
    ? backwards(events)
    : forwards(events, placeOf(events, Number(place.getRevision() || 0)));
}

/** Like the real server, includes the event at the given position. */
function* allEvents(options: ReadReq.Options, log: ServerLog): Iterable<Written> {
  const matches = filterOf(options);
  if (options.getReadDirection() === BACKWARDS) {
    for (const event of backwards(log.all)) if (matches(event)) yield event;
    return;
  }
  const last = log.all.at(-1)?.position ?? 0;
  let from = Number(options.getAll()!.getPosition()?.getCommitPosition() ?? 0) - 1;
  // By position, not by index, since a scavenge changes indexes.
  for (let event = next(log, from); event !== undefined && event.position <= last; event = next(log, from)) {
    from = event.position;
    if (matches(event)) yield event;
  }
}

const next = (log: ServerLog, after: number): Written | undefined => log.all[firstAfter(log.all, after)];

/** Excludes events that are appended meanwhile. */
function* forwards(events: readonly Written[], from: number): Iterable<Written> {
  const { length } = events;
  for (let at = from; at < length; at++) yield events[at];
}

function* backwards(events: readonly Written[]): Iterable<Written> {
  for (let at = events.length - 1; at >= 0; at--) yield events[at];
}

function filterOf(options: ReadReq.Options): (event: Written) => boolean {
  const expression = options.getFilter()?.getStreamIdentifier();
  if (expression === undefined) return () => true;
  const prefixes = expression.getPrefixList();
  const pattern = new RegExp(expression.getRegex());
  return ({ stream }) =>
    prefixes.length > 0 ? prefixes.some((prefix) => stream.startsWith(prefix)) : pattern.test(stream);
}

function firstAfter(events: readonly Written[], position: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (events[middle].position > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** False if the client has gone. */
async function write(call: ReadCall, answer: ReadResp): Promise<boolean> {
  if (hasEnded(call)) return false;
  if (!call.write(answer)) await oneOf(call, ['drain', 'cancelled', 'close']);
  return !hasEnded(call);
}

async function appendOrEnd(call: ReadCall, log: ServerLog, after: number): Promise<void> {
  const stop = log.onAppend(() => call.emit('appended'));
  if ((log.all.at(-1)?.position ?? 0) <= after && !hasEnded(call))
    await oneOf(call, ['appended', 'cancelled', 'close']);
  stop();
}

function hasEnded(call: ReadCall): boolean {
  return call.cancelled || call.destroyed;
}

/** Waits for the first of these events and removes its listeners. */
async function oneOf(emitter: EventEmitter, names: readonly string[]): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      for (const name of names) emitter.off(name, done);
      resolve();
    };
    for (const name of names) emitter.on(name, done);
  });
}
