import grpcEmpty from 'google-protobuf/google/protobuf/empty_pb.js';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata } from '@grpc/grpc-js';
import type { ServiceError, status } from '@grpc/grpc-js';
import type { Written } from './log.js';

const { Empty, StreamIdentifier, UUID } = sharedMessages;
const { ReadResp: Answer } = streamMessages;

/** Ticks of 100 ns in a millisecond. */
const TICKS_PER_MS = 10_000n;

export const emptyOfGoogle = (): InstanceType<typeof grpcEmpty.Empty> => new grpcEmpty.Empty();

export function identifierOf(stream: string): InstanceType<typeof StreamIdentifier> {
  return new StreamIdentifier().setStreamName(Buffer.from(stream));
}

export function nameOf(identifier: { getStreamName_asU8(): Uint8Array } | undefined): string {
  return Buffer.from(identifier!.getStreamName_asU8()).toString();
}

export function eventAnswer(event: Written): ReadResp {
  const recorded = new Answer.ReadEvent.RecordedEvent()
    .setId(new UUID().setString(event.id))
    .setStreamIdentifier(identifierOf(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(String(event.position))
    .setPreparePosition(String(event.position))
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', String(BigInt(event.created) * TICKS_PER_MS));
  return new Answer().setEvent(new Answer.ReadEvent().setEvent(recorded).setCommitPosition(String(event.position)));
}

export function notFoundAnswer(stream: string): ReadResp {
  return new Answer().setStreamNotFound(new Answer.StreamNotFound().setStreamIdentifier(identifierOf(stream)));
}

export function confirmationAnswer(): ReadResp {
  return new Answer().setConfirmation(new Answer.SubscriptionConfirmation().setSubscriptionId('double'));
}

export function checkpointAnswer(position: number): ReadResp {
  return new Answer().setCheckpoint(
    new Answer.Checkpoint().setCommitPosition(String(position)).setPreparePosition(String(position)),
  );
}

export function caughtUpAnswer(): ReadResp {
  return new Answer().setCaughtUp(new Answer.CaughtUp());
}

/** A server error with its name in the trailer `exception`. */
export function serverError(
  code: status,
  exception: string,
  trailers: Readonly<Record<string, string>> = {},
): Partial<ServiceError> {
  const metadata = new Metadata();
  if (exception !== '') metadata.set('exception', exception);
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details: exception === '' ? 'server is not ready' : exception, metadata };
}

export const empty = (): InstanceType<typeof Empty> => new Empty();
