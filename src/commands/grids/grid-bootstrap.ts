import { hasCode } from '../../errors.js';
import type { GridEvent, MemberKind, Role } from '../../streams/events/grid-events.js';
import { isDamagedEvent } from '../../streams/damaged-event.js';
import { START, type EventReader, type Position } from '../../streams/event-store.js';
import { ADMINISTRATIVE_PREFIXES, gridStream, TELEMETRY_PREFIX } from '../../streams/stream-names.js';
import type { MintApiKey, MintedApiKey } from './grid-commands.js';
import type { GridCommand } from './grid-command-types.js';
import type { CommandHandler } from '../handle-command.js';

/** Actor of changes that no user requested. */
export const SYSTEM_ACTOR = 'system';

export interface FirstMember {
  readonly id: string;
  readonly kind: MemberKind;
  readonly role: Role;
}

/** The created Grid and the environment that an application needs to send telemetry. The key can be shown only now. */
export interface BootstrapRecord {
  readonly gridId: string;
  readonly gridName: string;
  readonly apiKey: string;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string;
  readonly OTEL_EXPORTER_OTLP_HEADERS: string;
  readonly OTEL_EXPORTER_OTLP_PROTOCOL: string;
  readonly OTEL_SERVICE_NAME: string;
}

export interface BootstrapOptions {
  readonly log: Pick<EventReader, 'readAll'>;
  readonly handle: CommandHandler<GridCommand, GridEvent>;
  readonly mintApiKey: MintApiKey;
  /** Stores the record for the operator. MUST resolve only when it is durable. */
  readonly saveRecord: (record: BootstrapRecord) => Promise<void>;
  /**
   * Deletes the stored record, because another process created the Grid at the same time and its key is valid. Absent
   * if the store belongs to one process.
   */
  readonly deleteRecord?: () => Promise<void>;
  readonly gridId: string;
  readonly gridName: string;
  /** The key to accept; absent: a new one is generated. */
  readonly apiKey?: MintedApiKey;
  /** User id of the first Owner. */
  readonly owner: string;
  /** Further members; the owner is skipped. */
  readonly members: readonly FirstMember[];
  /** OTLP address, such as `http://127.0.0.1:4318`. */
  readonly otlpUrl: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface BootstrapOutcome {
  readonly record: BootstrapRecord;
  readonly position: Position;
}

/**
 * Creates the first Grid of an empty event store; undefined if the store contains events. The record is stored before
 * the events are appended at once: a crash in between leaves a key that was never valid, and the next start generates
 * another; a crash afterwards leaves the valid key.
 */
export async function bootstrapFirstGrid(options: BootstrapOptions): Promise<BootstrapOutcome | undefined> {
  if (await hasEvents(options.log)) return undefined;
  const key = options.apiKey ?? options.mintApiKey();
  const record = toBootstrapRecord(options, key);
  await options.saveRecord(record);
  try {
    const { position } = await options.handle(gridStream(options.gridId), ...buildFirstCommands(options, key));
    return { record, position };
  } catch (error) {
    if (!hasCode(error, 'conflict')) throw error;
    await options.deleteRecord?.();
    return undefined;
  }
}

/** What the service records of itself, such as observations of the clock, is in other streams. */
const CALLER_PREFIXES = [TELEMETRY_PREFIX, ...ADMINISTRATIVE_PREFIXES];

/**
 * Whether there are events of Grids or users. An event that cannot be read is an event: a damaged log must not get another
 * first Grid, nor keep a service from starting.
 */
async function hasEvents(log: Pick<EventReader, 'readAll'>): Promise<boolean> {
  try {
    return (await log.readAll(START, { prefixes: CALLER_PREFIXES, limit: 1, bodies: false })).length > 0;
  } catch (error) {
    if (isDamagedEvent(error)) return true;
    throw error;
  }
}

function buildFirstCommands(options: BootstrapOptions, { keyId, secretHash }: MintedApiKey): GridCommand[] {
  const { gridId, gridName, owner, members, now } = options;
  const common = { actor: SYSTEM_ACTOR, at: now, gridId };
  const others = members.filter(({ id }) => id !== owner);
  return [
    { ...common, type: 'CreateGrid', name: gridName, owner: { id: owner, kind: 'user' } },
    ...others.map(({ id, kind, role }): GridCommand => ({ ...common, type: 'SetMember', userId: id, kind, role })),
    { ...common, type: 'IssueApiKey', name: 'bootstrap', kind: 'full', keyId, secretHash },
  ];
}

function toBootstrapRecord({ gridId, gridName, otlpUrl }: BootstrapOptions, { text }: MintedApiKey): BootstrapRecord {
  return {
    gridId,
    gridName,
    apiKey: text,
    OTEL_EXPORTER_OTLP_ENDPOINT: otlpUrl,
    OTEL_EXPORTER_OTLP_HEADERS: `api-key=${text}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_SERVICE_NAME: 'my-service',
  };
}

/** Text to print once, after the start that created the Grid. */
export function formatBootstrapNotice(record: BootstrapRecord, location: string): string {
  const variables = Object.entries(record).filter(([name]) => name.startsWith('OTEL_'));
  return [
    `Grid ${record.gridName}: ${record.gridId}`,
    `API key: ${record.apiKey}`,
    'It is shown only this once. Send telemetry with:',
    ...variables.map(([name, value]) => `  export ${name}=${value}`),
    `All of this is in ${location}`,
  ].join('\n');
}
