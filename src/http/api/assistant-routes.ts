import { findQuotaOwner } from '../../auth/principal.js';
import type { AssistantCaller, AssistantReply } from '../../assistant/assistant.js';
import type { ApiCall } from '../api-call.js';
import { defineRoute, EVERY_ROLE, type Route } from '../route.js';
import type { AnswerSource } from '../../assistant/answerer.js';
import { ChatModel, SynthesisModel } from '../requests/assistant-requests.js';
import {
  AssistantSession,
  ChatReply,
  type Source as SourceSchema,
  Transcript,
  Voices,
} from '../schemas/assistant-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { waitUntilVisible } from '../../commands/read-your-writes.js';
import { EMPTY_REQUEST } from '../requests/request-parser.js';
import { formatTimestamp } from './value-conversions.js';
import { encodeWavChunks, wavLength } from '../../assistant/speech/wav.js';
import { BinaryResponse } from '../responses/api-responses.js';

/** Common fields of operations on an assistant session of the caller. */
export const INSTANCE_ROUTE = { tag: 'Assistant', grid: 'instance', roles: EVERY_ROLE } as const;

/** The caller with its assistant session. Throws for routes without one. */
export function toAssistantCaller({
  principal,
  mayAdminister,
  instance,
}: Pick<ApiCall<unknown, unknown, unknown>, 'principal' | 'mayAdminister' | 'instance'>): AssistantCaller {
  if (instance === undefined) throw new TypeError('The route has no assistant session');
  return { userId: principal.id, accountId: findQuotaOwner(principal), mayAdminister, ...instance };
}

export const chatRoutes: readonly Route[] = [
  defineRoute({
    ...INSTANCE_ROUTE,
    method: 'POST',
    path: '/assistant/chat/{instanceSecondaryId}',
    operationId: 'chat',
    summary: 'Ask the assistant about a Grid',
    description:
      'Uses one prompt of the day and energy: 1, plus 1 per data source queried, at most 10. May take up to a minute.',
    body: ChatModel,
    slow: true,
    refusals: [
      'session-not-found',
      'assistant-disabled',
      'daily-prompt-limit',
      'energy-exhausted',
      'conflict',
      'not-found',
    ],
    run: ({ assistant }, { body: { prompt, conversationId }, signal, ...call }) =>
      assistant.chat(toAssistantCaller(call), prompt, conversationId?.toLowerCase(), signal),
    responseSchema: ChatReply,
    present: presentReply,
  }),
];

function presentReply({
  response,
  conversationId,
  sources,
  suggestedFollowUps,
  energyConsumed,
}: AssistantReply): ResponseBody<typeof ChatReply> {
  return { response, conversationId, sources: sources.map(presentSource), suggestedFollowUps, energyConsumed };
}

function presentSource({ type, description, confidence, traceCount }: AnswerSource): ResponseBody<typeof SourceSchema> {
  return {
    type,
    description,
    ...(confidence !== undefined && { confidence }),
    ...(traceCount !== undefined && { traceCount }),
  };
}

export const sessionRoutes: readonly Route[] = [
  defineRoute({
    tag: 'Assistant',
    grid: 'path',
    roles: EVERY_ROLE,
    method: 'POST',
    path: '/assistant/sessions/{gridSecondaryId}',
    operationId: 'startAssistantSession',
    summary: 'Start an assistant session in a Grid',
    status: 201,
    refusals: ['session-limit-reached', 'conflict', 'not-found'],
    async run({ assistantCommands, usage }, { principal, params: { gridSecondaryId } }) {
      const { maxConcurrentSessions } = await usage.limits(gridSecondaryId);
      return {
        gridSecondaryId,
        ...(await waitUntilVisible(
          assistantCommands,
          assistantCommands.startSession(principal.id, gridSecondaryId, maxConcurrentSessions),
        )),
      };
    },
    responseSchema: AssistantSession,
    present: ({ instanceId, gridSecondaryId, startedAt, expiresAt }) => ({
      instanceSecondaryId: instanceId,
      gridSecondaryId,
      startedAt: formatTimestamp(startedAt),
      expiresAt: formatTimestamp(expiresAt),
    }),
  }),
  defineRoute({
    ...INSTANCE_ROUTE,
    method: 'DELETE',
    path: '/assistant/sessions/{instanceSecondaryId}',
    operationId: 'endAssistantSession',
    summary: 'End an assistant session',
    status: 204,
    refusals: ['session-not-found', 'conflict'],
    run({ assistantCommands }, call) {
      const { userId, gridId, instanceId } = toAssistantCaller(call);
      return waitUntilVisible(assistantCommands, assistantCommands.endSession(userId, gridId, instanceId));
    },
    present: () => new EMPTY_REQUEST(),
  }),
];

/** API contract, section 4: 1 MB. */
const MAX_AUDIO_BYTES = 1_048_576;

export const speechRoutes: readonly Route[] = [
  defineRoute({
    tag: 'Assistant',
    roles: EVERY_ROLE,
    method: 'GET',
    path: '/assistant/voices',
    operationId: 'listVoices',
    summary: 'List the voices for speech synthesis',
    grid: 'none',
    run: ({ assistant }) => assistant.voices(),
    responseSchema: Voices,
    refusals: ['speech-unavailable'],
    present: (voices) => ({
      voices: voices.map(({ name, description, language }) => ({ name, description, language })),
    }),
  }),
  defineRoute({
    ...INSTANCE_ROUTE,
    method: 'POST',
    path: '/assistant/speech/{instanceSecondaryId}/synthesize',
    operationId: 'synthesizeSpeech',
    summary: 'Synthesize speech from text',
    description:
      'The duration of the audio counts against the speech minutes of the Grid. A request that would exceed them is rejected as a whole.',
    body: SynthesisModel,
    mediaType: 'audio/wav',
    refusals: ['session-not-found', 'speech-minutes-exceeded', 'speech-unavailable', 'conflict'],
    run: ({ assistant }, { body: { text, voice, speed }, signal, ...call }) =>
      assistant.synthesize(toAssistantCaller(call), text, voice, speed, signal),
    present: (sound) => new BinaryResponse('audio/wav', wavLength(sound), encodeWavChunks(sound)),
  }),
  defineRoute({
    ...INSTANCE_ROUTE,
    method: 'POST',
    path: '/assistant/speech/{instanceSecondaryId}/recognize',
    operationId: 'recognizeSpeech',
    summary: 'Transcribe a recording',
    description:
      'WAV, MP3 or OGG (Vorbis, Opus), detected from the content; at most 1 MiB (1,048,576 bytes) and 10 minutes. The duration counts against the speech minutes of the Grid.',
    file: { name: 'audio', maxBytes: MAX_AUDIO_BYTES, tooLarge: 'audio-too-large' },
    slow: true,
    refusals: [
      'session-not-found',
      'audio-unsupported',
      'audio-too-large',
      'speech-minutes-exceeded',
      'speech-unavailable',
      'conflict',
    ],
    run: ({ assistant }, { file, signal, ...call }) => assistant.recognize(toAssistantCaller(call), file, signal),
    responseSchema: Transcript,
    present: ({ text, confidence, durationMs }) => ({ text, confidence, durationMs }),
  }),
];
