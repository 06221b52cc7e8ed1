import Type from 'typebox';
import { count, fraction, instant, listing, listOf, record, text, uuid } from './terms.js';

export const GRID_ID = '0a0a0a0a-1111-4222-8333-0123456789ab';
export const INSTANCE_ID = '4b825dc6-42cb-4eb9-a060-e54bf8d69288';
export const gridSecondaryId = uuid('Id of the Grid.', GRID_ID);

export const AssistantSession = record('AssistantSession', 'A session of the assistant within one Grid.', {
  instanceSecondaryId: uuid('Id of the assistant instance, which chat and speech are asked by.', INSTANCE_ID),
  gridSecondaryId,
  startedAt: instant('When it started.'),
  expiresAt: instant('When it ends by itself unless it is used: 30 minutes after the last use.', '2026-03-14T09:56:00.000Z'),
});

export const Source = record('Source', 'What an answer rests on: a question that was asked of the data.', {
  type: text('The question, such as a diagnostic.', 'health'),
  description: text('What it looked at.', '7 services, last 15 minutes'),
  confidence: Type.Optional(fraction('Of diagnoses: chance that the cause is right.', 0.87)),
  traceCount: Type.Optional(count('Traces that it rests on.', 214)),
});

export const ChatReply = record('ChatReply', 'An answer of the assistant.', {
  response: text('The answer, in Markdown.', 'payment answers slowly since 09:26 UTC: its p95 rose from 210 ms to 1,840 ms.'),
  conversationId: uuid('Id of the conversation: send it with the next prompt.', '1f0e9d8c-7b6a-4958-8776-655443322110'),
  sources: listOf(Source, 'What the answer rests on, in the order in which it was consulted.'),
  suggestedFollowUps: listOf(text('A question.', 'What changed before 09:26?'), 'Questions that the assistant can answer.'),
  energyConsumed: count('Energy that the answer cost: 1, and 1 for each source, at most 10.', 2),
});

const Voice = record('Voice', 'A voice that texts can be read with.', {
  name: text('What `voice` takes.', 'hindsight'),
  description: text('What it is like.', 'The voice of the assistant'),
  language: text('Language that it speaks (BCP 47).', 'en'),
});
export const Voices = listing('Voices', 'Voices that texts can be read with.', { voices: listOf(Voice, 'The first is the default.') });

export const Transcript = record('Transcript', 'What a recording says.', {
  text: text('The words; empty where nothing was understood.', 'is anything broken'),
  confidence: fraction('How sure the recognition is.', 0.91),
  durationMs: count('Length of the recording. Whole milliseconds.', 2_140),
});
