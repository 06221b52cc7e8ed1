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
  readonly error?: string;
}

interface Conversation {
  readonly instanceId?: string;
  readonly conversationId?: string;
  readonly turns: readonly ConversationTurn[];
}

const EMPTY_CONVERSATION: Conversation = { turns: [] };

/** The conversation of this browser tab with the assistant of the Grid. It is kept while the user visits other pages. */
export function useConversation() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const invalidateUsage = useInvalidateUsage();
  const key = ['conversation', gridSecondaryId];
  // Never fetched: the query cache only stores the conversation.
  const { data } = useQuery<Conversation>({
    queryKey: key,
    queryFn: () => EMPTY_CONVERSATION,
    enabled: false,
    initialData: EMPTY_CONVERSATION,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const getConversation = (): Conversation => queries.getQueryData<Conversation>(key) ?? EMPTY_CONVERSATION;
  const updateConversation = (changes: Partial<Conversation>): unknown =>
    queries.setQueryData<Conversation>(key, { ...getConversation(), ...changes });

  /** Runs a request in the current session; starts a new one if there is none or it has expired (404). */
  const inSession = async <Result>(run: (instanceSecondaryId: string) => Promise<Result>): Promise<Result> => {
    const known = getConversation().instanceId;
    if (known !== undefined) {
      try {
        return await run(known);
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
      }
    }
    const { instanceSecondaryId } = await startSession(gridSecondaryId);
    updateConversation({ instanceId: instanceSecondaryId });
    return run(instanceSecondaryId);
  };

  const ask = async (prompt: string): Promise<void> => {
    const id = getConversation().turns.length;
    const updateTurn = (changes: Partial<ConversationTurn>): unknown =>
      updateConversation({
        turns: getConversation().turns.map((turn) => (turn.id === id ? { ...turn, ...changes } : turn)),
      });
    updateConversation({ turns: [...getConversation().turns, { id, prompt }] });
    try {
      const reply = await inSession((instanceSecondaryId) =>
        unwrapResponse(
          api.POST('/assistant/chat/{instanceSecondaryId}', {
            params: { path: { instanceSecondaryId } },
            body: { prompt, conversationId: getConversation().conversationId ?? null },
          }),
        ),
      );
      updateConversation({ conversationId: reply.conversationId });
      updateTurn({ reply });
    } catch (error) {
      updateTurn({ error: toErrorMessage(error) });
    }
    await invalidateUsage();
  };

  /** Ends the session, which frees it for other members of the Grid. */
  const end = async (): Promise<void> => {
    const { instanceId } = getConversation();
    queries.setQueryData<Conversation>(key, EMPTY_CONVERSATION);
    if (instanceId !== undefined)
      await fetchBlob(`/assistant/sessions/${encodeURIComponent(instanceId)}`, { method: 'DELETE' }).catch(
        ignoreEndedSession,
      );
    await invalidateUsage();
  };

  return {
    turns: data.turns,
    isWaiting: data.turns.some(({ reply, error }) => reply === undefined && error === undefined),
    ask,
    end,
    inSession,
  };
}

/** Not typed by the API client: starting and ending a session share a path in the OpenAPI document. */
async function startSession(gridSecondaryId: string): Promise<Schemas['AssistantSession']> {
  const response = await fetchBlob(`/assistant/sessions/${encodeURIComponent(gridSecondaryId)}`, { method: 'POST' });
  return JSON.parse(await response.text()) as Schemas['AssistantSession'];
}

/** Ignores errors of ending a session: it may have expired already, and otherwise ends after 30 minutes of inactivity. */
function ignoreEndedSession(error: unknown): void {
  if (!(error instanceof ApiError || error instanceof SignedOutError)) throw error;
}

export function toErrorMessage(error: unknown): string {
  // The next usage request fails in the same way, which leads to the sign-in page.
  if (error instanceof SignedOutError) return error.message;
  if (error instanceof ApiError)
    return describeAssistantError(error.problem.type, error.problem.errors?.[0]?.message ?? error.message);
  throw error;
}
