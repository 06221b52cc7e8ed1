import type { TurnRecorded } from '../../streams/events/assistant-events.js';
import type { ConversationTurn } from './assistant-commands.js';
import { reject, type Decider, type Decision } from '../decider.js';

export interface RecordTurn {
  readonly type: 'RecordTurn';
  readonly userId: string;
  readonly gridId: string;
  readonly conversationId: string;
  readonly turn: ConversationTurn;
}

export interface ConversationState {
  readonly gridId: string;
  /** The oldest first, at most the last MOST_TURNS. */
  readonly turns: readonly ConversationTurn[];
  /** ms since 1970. */
  readonly lastUsedAt: number;
}

/** By id, that used last comes last: those of the last day, at most MOST_CONVERSATIONS. */
export type ConversationsState = ReadonlyMap<string, ConversationState>;

/** Turns that a question can build on. */
export const MAX_TURNS = 20;
/** Conversations that a user can go on with. */
export const MAX_CONVERSATIONS = 100;
/** A conversation that is not used for so long is over. */
const CONVERSATION_IDLE_MS = 86_400_000;

const eventTypes: ReadonlySet<string> = new Set<TurnRecorded['type']>(['TurnRecorded.v1']);

/** What one user and the assistant said to each other, in all Grids. */
export const conversationsDecider: Decider<RecordTurn, ConversationsState, TurnRecorded> = {
  eventTypes,
  initialState: new Map(),
  decide,
  evolveAll,
  evolve: (known, event) => evolveAll(known, [event]),
};

/** The turns of a conversation of that Grid; undefined where it is unknown, of another Grid, or over. */
export function findTurns(
  known: ConversationsState,
  gridId: string,
  conversationId: string,
  nowMs: number,
): readonly ConversationTurn[] | undefined {
  const conversation = known.get(conversationId);
  if (conversation?.gridId !== gridId || isExpired(conversation, nowMs)) return undefined;
  return conversation.turns;
}

function decide(
  { userId, gridId, conversationId, turn }: RecordTurn,
  known: ConversationsState,
): Decision<TurnRecorded> {
  const owner = known.get(conversationId)?.gridId ?? gridId;
  if (owner !== gridId) return reject('conflict', 'The conversation belongs to another Grid.');
  const { prompt, response, focus, at } = turn;
  return [{ type: 'TurnRecorded.v1', data: { userId, gridId, conversationId, prompt, response, focus, at } }];
}

function evolveAll(known: ConversationsState, events: readonly TurnRecorded[]): ConversationsState {
  const draft = new Map(known);
  for (const { data } of events) recordTurn(data, draft);
  return draft;
}

function recordTurn(
  { gridId, conversationId, prompt, response, focus, at }: TurnRecorded['data'],
  known: Map<string, ConversationState>,
): void {
  const turns = findTurns(known, gridId, conversationId, at) ?? [];
  known.delete(conversationId);
  known.set(conversationId, {
    gridId,
    turns: [...turns, { prompt, response, focus, at }].slice(-MAX_TURNS),
    lastUsedAt: at,
  });
  for (const [id, conversation] of known) {
    if (known.size <= MAX_CONVERSATIONS && !isExpired(conversation, at)) return;
    known.delete(id);
  }
}

function isExpired({ lastUsedAt }: ConversationState, nowMs: number): boolean {
  return nowMs - lastUsedAt >= CONVERSATION_IDLE_MS;
}
