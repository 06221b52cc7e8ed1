import { sessionsDecider, type SessionCommand } from '../../../../../src/commands/assistant/session-decider.js';
import { speechDecider, type SpeechCommand } from '../../../../../src/commands/assistant/speech-decider.js';
import { usageDecider, type UsageCommand } from '../../../../../src/commands/assistant/prompt-usage-decider.js';
import { isRejection, type Decider, type DomainEvent } from '../../../../../src/commands/decider.js';
import type { ErrorCode } from '../../../../../src/errors.js';
import { type AccountedEvent, createUsageRun } from '../../../../../src/projections/usage-projection.js';
import { createUsageQueries } from '../../../../../src/queries/usage/usage-queries.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import { PROJECTIONS } from '../../../../../src/read-models/documents/projection-documents.js';
import { USAGE_PROJECTION, USAGE_VERSION } from '../../../../../src/read-models/documents/assistant-usage-documents.js';
import { START, type RecordedEvent } from '../../../../../src/streams/event-store.js';

/** Result of a command: its events, or the error code. */
export type Outcome<Event = AccountedEvent> = readonly Event[] | ErrorCode;

/** One aggregate, decided event by event. */
class Aggregate<Command, State, Event extends DomainEvent> {
  private readonly states = new Map<string, State>();

  constructor(private readonly decider: Decider<Command, State, Event>) {}

  state(stream: string): State {
    return this.states.get(stream) ?? this.decider.initialState;
  }

  /** The result of a command without applying it. */
  consider(stream: string, command: Command): Outcome<Event> {
    const decision = this.decider.decide(command, this.state(stream));
    return isRejection(decision) ? decision.rejected : decision;
  }

  decide(stream: string, command: Command): readonly Event[] {
    const outcome = this.consider(stream, command);
    if (typeof outcome === 'string') return [];
    this.states.set(
      stream,
      outcome.reduce((state, event) => this.decider.evolve(state, event), this.state(stream)),
    );
    return outcome;
  }
}

/** Both sides of accounting: deciders that append events, and read models of these events. */
export class AccountingWorld {
  readonly usage = new Aggregate(usageDecider);
  readonly speech = new Aggregate(speechDecider);
  readonly sessions = new Aggregate(sessionsDecider);
  readonly readModel = new UsageReadModel();
  /** All appended events, in order. */
  readonly events: AccountedEvent[] = [];

  async prompt(command: UsageCommand): Promise<readonly AccountedEvent[]> {
    return this.append(this.usage.decide(command.userId, command));
  }

  async speak(command: SpeechCommand): Promise<readonly AccountedEvent[]> {
    return this.append(this.speech.decide(command.gridId, command));
  }

  async attend(command: SessionCommand): Promise<readonly AccountedEvent[]> {
    return this.append(this.sessions.decide(command.gridId, command));
  }

  private async append(events: readonly AccountedEvent[]): Promise<readonly AccountedEvent[]> {
    this.events.push(...events);
    await this.readModel.fold(events);
    return events;
  }
}

/** The projection over a store in memory, without a log. */
export class UsageReadModel {
  readonly store = new MemoryReadModelStore();
  readonly queries = createUsageQueries(this.store);
  private readonly run = createUsageRun(USAGE_VERSION, this.store);

  async fold(events: readonly AccountedEvent[]): Promise<void> {
    const active = {
      kind: 'put',
      collection: PROJECTIONS,
      id: USAGE_PROJECTION,
      document: { active: USAGE_VERSION, schema: USAGE_VERSION },
    } as const;
    await this.store.commit([active, ...(await this.run.fold.fold(events.map(recorded)))], []);
  }
}

function recorded({ type, data }: AccountedEvent): RecordedEvent {
  // The fold only reads type and data.
  return { id: '', type, data, stream: '', revision: 0, position: START, recordedAt: 0 };
}
