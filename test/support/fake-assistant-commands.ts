import { INITIAL_LIMITS, type GridLimits } from '../../src/accounting/usage-limits.js';
import type {
  Conversation,
  ReservedPrompt,
  StartedSession,
  UpdatedLimits,
} from '../../src/commands/assistant/assistant-commands.js';
import type { CommandReceipt } from '../../src/commands/grids/grid-commands.js';
import type { AssistantPort } from '../../src/http/api-call.js';
import type { Position } from '../../src/streams/event-store.js';
import { withInternalMember } from './internal-member.js';
import { CONVERSATION_ID } from './fake-assistant.js';
import { CREATED_ID } from './created-id.js';

const AT = Date.UTC(2026, 0, 1, 0, 0, 0, 123);
const DONE: CommandReceipt = { position: '7' as Position };

/** Accepts everything; records calls without changing state. */
export class FakeAssistantCommands implements AssistantPort {
  readonly done: { readonly name: keyof AssistantPort; readonly with: readonly unknown[] }[] = [];
  /** Result of waiting for a position. */
  arrives: () => Promise<unknown> = async () => true;
  /** Error of all commands; undefined: they are accepted. */
  refusal: Error | undefined;

  updateLimits(actor: string, gridId: string, changes: Partial<GridLimits>): Promise<UpdatedLimits> {
    return this.accept(
      'updateLimits',
      [actor, gridId, changes],
      withInternalMember({
        ...DONE,
        limits: withInternalMember({ ...INITIAL_LIMITS, ...changes }),
        updatedAt: AT,
        updatedBy: actor,
      }),
    );
  }

  startSession(userId: string, gridId: string, maxSessions: number): Promise<StartedSession> {
    return this.accept(
      'startSession',
      [userId, gridId, maxSessions],
      withInternalMember({ ...DONE, instanceId: CREATED_ID, startedAt: AT, expiresAt: AT + 1_800_000 }),
    );
  }

  useSession(...values: readonly string[]): Promise<CommandReceipt> {
    return this.accept('useSession', values, DONE);
  }

  endSession(...values: readonly string[]): Promise<CommandReceipt> {
    return this.accept('endSession', values, DONE);
  }

  expireSessions(...values: readonly string[]): Promise<CommandReceipt> {
    return this.accept('expireSessions', values, DONE);
  }

  reservePrompt(...values: readonly unknown[]): Promise<ReservedPrompt> {
    return this.accept('reservePrompt', values, { ...DONE, promptId: 'minted', energy: 10 });
  }

  settlePrompt(...values: readonly unknown[]): Promise<CommandReceipt> {
    return this.accept('settlePrompt', values, DONE);
  }

  refundPrompt(...values: readonly unknown[]): Promise<CommandReceipt> {
    return this.accept('refundPrompt', values, DONE);
  }

  reserveSpeech(...values: readonly unknown[]): Promise<CommandReceipt & { readonly speechId: string }> {
    return this.accept('reserveSpeech', values, { ...DONE, speechId: 'minted' });
  }

  settleSpeech(...values: readonly unknown[]): Promise<CommandReceipt> {
    return this.accept('settleSpeech', values, DONE);
  }

  refundSpeech(...values: readonly unknown[]): Promise<CommandReceipt> {
    return this.accept('refundSpeech', values, DONE);
  }

  loadConversation(...values: readonly unknown[]): Promise<Conversation> {
    return this.accept('loadConversation', values, { conversationId: CONVERSATION_ID, turns: [] });
  }

  recordTurn(...values: readonly unknown[]): Promise<CommandReceipt> {
    return this.accept('recordTurn', values, DONE);
  }

  waitForPosition(position: Position): Promise<unknown> {
    this.done.push({ name: 'waitForPosition', with: [position] });
    return this.arrives();
  }

  private async accept<Result>(name: keyof AssistantPort, values: readonly unknown[], result: Result): Promise<Result> {
    this.done.push({ name, with: values });
    if (this.refusal !== undefined) throw this.refusal;
    return result;
  }
}
