import anyMessages from 'google-protobuf/google/protobuf/any_pb.js';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import type { ServerDuplexStream, ServerReadableStream, sendUnaryData } from '@grpc/grpc-js';
import type { Expectation, Outcome, Proposal, ServerLog } from './log.js';
import { empty, emptyOfGoogle, identifierOf, nameOf, serverError } from './wire.js';

const UUID_SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type WireProposal = AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage;

/** A completely received append. */
export interface Arrived {
  readonly stream: string;
  readonly expected: Expectation;
  readonly proposals: readonly Proposal[];
}

/** Thrown if the double, like the real server, rejects an append. */
export class Refusal extends Error {
  constructor(readonly answer: ReturnType<typeof serverError>) {
    super(answer.details);
  }
}

/** Collects the messages of an Append call. */
export async function arrivedIn(
  call: ServerReadableStream<AppendReq, AppendResp>,
  maxAppendSize: number,
): Promise<Arrived> {
  let options: AppendReq.Options | undefined;
  const proposals: Proposal[] = [];
  for await (const message of call as AsyncIterable<AppendReq>) {
    if (message.hasOptions()) options = message.getOptions();
    else proposals.push(proposalOf(message.getProposedMessage()!));
    assertSize(proposals, maxAppendSize);
  }
  return { stream: nameOf(options!.getStreamIdentifier()), expected: expectationOf(options!), proposals };
}

export function answerTo(outcome: Outcome): AppendResp {
  const { AppendResp: Answer } = streamMessages;
  if ('conflict' in outcome) {
    const conflict = new Answer.WrongExpectedVersion();
    return new Answer().setWrongExpectedVersion(
      outcome.revision === undefined
        ? conflict.setCurrentNoStream(empty())
        : conflict.setCurrentRevision(String(outcome.revision)),
    );
  }
  const success = new Answer.Success().setCurrentRevision(String(outcome.revision));
  // The real server may not know the position of events that it already had.
  if (outcome.repeated) return new Answer().setSuccess(success.setNoPosition(empty()));
  const position = new Answer.Position()
    .setCommitPosition(String(outcome.position))
    .setPreparePosition(String(outcome.position));
  return new Answer().setSuccess(success.setPosition(position));
}

/** BatchAppend: many appends over one streaming call, each in one or more messages. Without faults, since the adapter does not use it. */
export function batchAppend(call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>, log: ServerLog): void {
  const open = new Map<string, { options: BatchAppendReq.Options; proposals: Proposal[] }>();
  call.on('data', (message: BatchAppendReq) => {
    const id = message.getCorrelationId()!.getString();
    const batch = open.get(id) ?? { options: message.getOptions()!, proposals: [] };
    open.set(id, batch);
    batch.proposals.push(...message.getProposedMessagesList().map(proposalOf));
    if (!message.getIsFinal()) return;
    open.delete(id);
    const { options, proposals } = batch;
    const outcome = log.append(nameOf(options.getStreamIdentifier()), batchExpectationOf(options), proposals);
    const stream = identifierOf(nameOf(options.getStreamIdentifier()));
    call.write(batchAnswerTo(outcome).setCorrelationId(message.getCorrelationId()).setStreamIdentifier(stream));
  });
  call.on('end', () => call.end());
}

export function replyWith(callback: sendUnaryData<AppendResp>, error: unknown): void {
  callback(error instanceof Refusal ? error.answer : { code: status.UNKNOWN, details: String(error) });
}

function batchAnswerTo(outcome: Outcome): BatchAppendResp {
  const { BatchAppendResp: Answer } = streamMessages;
  if ('conflict' in outcome) {
    const conflict = new sharedMessages.WrongExpectedVersion();
    if (outcome.revision === undefined) conflict.setCurrentNoStream(emptyOfGoogle());
    else conflict.setCurrentStreamRevision(String(outcome.revision));
    const details = new anyMessages.Any();
    details.pack(conflict.serializeBinary(), 'event_store.client.WrongExpectedVersion');
    return new Answer().setError(new statusMessages.Status().setCode(9).setDetails(details));
  }
  const position = new sharedMessages.AllStreamPosition()
    .setCommitPosition(String(outcome.position))
    .setPreparePosition(String(outcome.position));
  return new Answer().setSuccess(
    new Answer.Success().setCurrentRevision(String(outcome.revision)).setPosition(position),
  );
}

function proposalOf(message: WireProposal): Proposal {
  const id = message.getId()!.getString();
  if (!UUID_SHAPE.test(id)) throw new Refusal({ code: status.INVALID_ARGUMENT, details: `${id} is no UUID` });
  const [type, contentType] = ['type', 'content-type'].map((name) => message.getMetadataMap().get(name));
  if (type === undefined || contentType === undefined)
    throw new Refusal(serverError(status.INVALID_ARGUMENT, 'missing-required-metadata-property'));
  return { id, type, contentType, data: message.getData_asU8(), metadata: message.getCustomMetadata_asU8() };
}

/** Computes sizes like the server, which stores type names in UTF-16. */
function assertSize(proposals: readonly Proposal[], maxAppendSize: number): void {
  const size = proposals.reduce(
    (sum, { type, data, metadata }) => sum + data.byteLength + metadata.byteLength + 2 * type.length,
    0,
  );
  if (size > maxAppendSize) {
    throw new Refusal(
      serverError(status.INVALID_ARGUMENT, 'maximum-append-size-exceeded', {
        'maximum-append-size': String(maxAppendSize),
      }),
    );
  }
}

function expectationOf(options: AppendReq.Options): Expectation {
  if (options.hasRevision()) return Number(options.getRevision());
  if (options.hasNoStream()) return 'none';
  return options.hasStreamExists() ? 'exists' : 'any';
}

function batchExpectationOf(options: BatchAppendReq.Options): Expectation {
  if (options.hasStreamPosition()) return Number(options.getStreamPosition());
  if (options.hasNoStream()) return 'none';
  return options.hasStreamExists() ? 'exists' : 'any';
}
