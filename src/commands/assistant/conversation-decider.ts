import type { TurnRecorded } from '../../streams/events/assistant-events.js';

import { reject, type Decider, type Decision } from '../decider.js';

/** One exchange with the assistant. */
export interface ConversationTurn {
  readonly prompt: string;
  readonly response: string;
  /** Query context for the next turn. */
  readonly focus: Readonly<Record<string, unknown>>;
  /** ms since 1970. */
  readonly at: number;
}

export interface RecordTurn {
  readonly type: 'RecordTurn';
  readonly userId: string;
  readonly gridId: string;
  readonly conversationId: string;
  readonly turn: ConversationTurn;
}

export interface ConversationState {
  readonly gridId: string;
  /** Oldest first, at most the last MAX_TURNS. */
  readonly turns: readonly ConversationTurn[];
  /** ms since 1970. */
  readonly lastUsedAt: number;
}

/** By id in order of last use: those of the last day, at most MAX_CONVERSATIONS. */
export type ConversationsState = ReadonlyMap<string, ConversationState>;

/** Turns kept as context for questions. */
export const MAX_TURNS = 20;
/** Conversations kept per user. */
export const MAX_CONVERSATIONS = 100;
/** A conversation expires after this time (ms) without use. */
const CONVERSATION_IDLE_MS = 86_400_000;

const eventTypes: ReadonlySet<string> = new Set<TurnRecorded['type']>(['TurnRecorded.v1']);

/** Conversations of one user with the assistant in all Grids. */
export const conversationsDecider: Decider<RecordTurn, ConversationsState, TurnRecorded> = {
  eventTypes,
  initialState: new Map(),
  decide,
  evolveAll,
  evolve: (conversations, event) => evolveAll(conversations, [event]),
};

/** Turns of a conversation in that Grid; undefined if it is unknown, of another Grid, or expired. */
export function findTurns(
  conversations: ConversationsState,
  gridId: string,
  conversationId: string,
  nowMs: number,
): readonly ConversationTurn[] | undefined {
  const conversation = conversations.get(conversationId);
  if (conversation?.gridId !== gridId || isExpired(conversation, nowMs)) return undefined;
  return conversation.turns;
}

function decide(
  { userId, gridId, conversationId, turn }: RecordTurn,
  conversations: ConversationsState,
): Decision<TurnRecorded> {
  const owner = conversations.get(conversationId)?.gridId ?? gridId;
  if (owner !== gridId) return reject('conflict', 'The conversation belongs to another Grid.');
  const { prompt, response, focus, at } = turn;
  return [{ type: 'TurnRecorded.v1', data: { userId, gridId, conversationId, prompt, response, focus, at } }];
}

function evolveAll(conversations: ConversationsState, events: readonly TurnRecorded[]): ConversationsState {
  const draft = new Map(conversations);
  for (const { data } of events) recordTurn(data, draft);
  return draft;
}

function recordTurn(
  { gridId, conversationId, prompt, response, focus, at }: TurnRecorded['data'],
  conversations: Map<string, ConversationState>,
): void {
  const turns = findTurns(conversations, gridId, conversationId, at) ?? [];
  conversations.delete(conversationId);
  conversations.set(conversationId, {
    gridId,
    turns: [...turns, { prompt, response, focus, at }].slice(-MAX_TURNS),
    lastUsedAt: at,
  });
  for (const [id, conversation] of conversations) {
    if (conversations.size <= MAX_CONVERSATIONS && !isExpired(conversation, at)) return;
    conversations.delete(id);
  }
}

function isExpired({ lastUsedAt }: ConversationState, nowMs: number): boolean {
  return nowMs - lastUsedAt >= CONVERSATION_IDLE_MS;
}
