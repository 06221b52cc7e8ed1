import type { Source } from '../../assistant/answer.js';
import type { Reply } from '../../assistant/assistant.js';
import { ChatModel } from '../requests/chat.js';
import { route, type Route } from '../route.js';
import { ChatReply, type Source as SourceSchema } from '../schemas/assistant.js';
import type { Shown } from '../schemas/terms.js';
import { BY_INSTANCE, seatOf } from './assistant-use.js';

export const chatRoutes: readonly Route[] = [
  route({
    ...BY_INSTANCE,
    method: 'POST',
    path: '/assistant/chat/{instanceSecondaryId}',
    operationId: 'chat',
    summary: 'Ask the assistant about a Grid',
    description: 'Costs a prompt of the day, and energy: 1, and 1 for each data source that was consulted, at most 10. May take up to a minute.',
    body: ChatModel,
    slow: true,
    refusals: ['session-not-found', 'assistant-disabled', 'daily-prompt-limit', 'energy-exhausted', 'conflict', 'not-found'],
    run: ({ assistant }, { body: { prompt, conversationId }, signal, ...call }) => assistant.chat(seatOf(call), prompt, conversationId?.toLowerCase(), signal),
    answer: ChatReply,
    present: presentReply,
  }),
];

function presentReply({ response, conversationId, sources, suggestedFollowUps, energyConsumed }: Reply): Shown<typeof ChatReply> {
  return { response, conversationId, sources: sources.map(presentSource), suggestedFollowUps, energyConsumed };
}

function presentSource({ type, description, confidence, traceCount }: Source): Shown<typeof SourceSchema> {
  return { type, description, ...(confidence !== undefined && { confidence }), ...(traceCount !== undefined && { traceCount }) };
}
