import { useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrapResponse, api, fetchBlob, type Schemas } from '../../api/api-client';
import { ApiError, hasStatus } from '../../api/api-error';
import { SignedOutError } from '../../session/session-store';
import { useGrid } from '../../session/use-session';
import { useInvalidateUsage } from '../usage/usage-queries';
import { describeAssistantError } from './assistant-error-messages';

export interface ConversationTurn {
  readonly id: number;
  readonly prompt: string;
  readonly reply?: Schemas['ChatReply'];
  readonly fault?: string;
}

interface Conversation {
  readonly instanceId?: string;
  readonly conversationId?: string;
  readonly turns: readonly ConversationTurn[];
}

const EMPTY_CONVERSATION: Conversation = { turns: [] };

/** The conversation of this tab with the assistant of the Grid. It stays while one follows a source and comes back. */
export function useConversation() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const usageAnew = useInvalidateUsage();
  const key = ['conversation', gridSecondaryId];
  // Nothing is asked for: the cache is where it is kept.
  const { data } = useQuery<Conversation>({
    queryKey: key,
    queryFn: () => EMPTY_CONVERSATION,
    enabled: false,
    initialData: EMPTY_CONVERSATION,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const now = (): Conversation => queries.getQueryData<Conversation>(key) ?? EMPTY_CONVERSATION;
  const change = (changes: Partial<Conversation>): unknown =>
    queries.setQueryData<Conversation>(key, { ...now(), ...changes });

  /** Does something in a session: in the one there is, else, or where that has ended by itself, in a new one. */
  const inSession = async <Answer>(run: (instanceSecondaryId: string) => Promise<Answer>): Promise<Answer> => {
    const known = now().instanceId;
    if (known !== undefined) {
      try {
        return await run(known);
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
      }
    }
    const { instanceSecondaryId } = await startSession(gridSecondaryId);
    change({ instanceId: instanceSecondaryId });
    return run(instanceSecondaryId);
  };

  const ask = async (prompt: string): Promise<void> => {
    const id = now().turns.length;
    const settle = (settled: Partial<ConversationTurn>): unknown =>
      change({ turns: now().turns.map((turn) => (turn.id === id ? { ...turn, ...settled } : turn)) });
    change({ turns: [...now().turns, { id, prompt }] });
    try {
      const reply = await inSession((instanceSecondaryId) =>
        unwrapResponse(
          api.POST('/assistant/chat/{instanceSecondaryId}', {
            params: { path: { instanceSecondaryId } },
            body: { prompt, conversationId: now().conversationId ?? null },
          }),
        ),
      );
      change({ conversationId: reply.conversationId });
      settle({ reply });
    } catch (error) {
      settle({ fault: toErrorMessage(error) });
    }
    await usageAnew();
  };

  /** The session ends, so that another one of the Grid may begin. */
  const end = async (): Promise<void> => {
    const { instanceId } = now();
    queries.setQueryData<Conversation>(key, EMPTY_CONVERSATION);
    if (instanceId !== undefined)
      await fetchBlob(`/assistant/sessions/${encodeURIComponent(instanceId)}`, { method: 'DELETE' }).catch(
        ignoreEndedSession,
      );
    await usageAnew();
  };

  return {
    turns: data.turns,
    isWaiting: data.turns.some(({ reply, fault }) => reply === undefined && fault === undefined),
    ask,
    end,
    inSession,
  };
}

/** Starting and ending share one path in the API's document, whose types tell neither. */
async function startSession(gridSecondaryId: string): Promise<Schemas['AssistantSession']> {
  const answer = await fetchBlob(`/assistant/sessions/${encodeURIComponent(gridSecondaryId)}`, { method: 'POST' });
  return JSON.parse(await answer.text()) as Schemas['AssistantSession'];
}

/** A session that has ended by itself need not be ended; whatever else is wrong, it ends after 30 idle minutes. */
function ignoreEndedSession(error: unknown): void {
  if (!(error instanceof ApiError || error instanceof SignedOutError)) throw error;
}

export function toErrorMessage(error: unknown): string {
  // The next answer of the usage says so too, and then one is asked to sign in.
  if (error instanceof SignedOutError) return error.message;
  if (error instanceof ApiError)
    return describeAssistantError(error.problem.type, error.problem.errors?.[0]?.message ?? error.message);
  throw error;
}
