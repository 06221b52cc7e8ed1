import { alertsStream, incidentsStream } from '../../streams/stream-names.js';
import { HindsightError } from '../../errors.js';
import type { AlertCommand } from '../alerts/alert-decider.js';
import type { CommandReceipt } from '../grids/grid-commands.js';
import type { CommandHandler } from '../handle-command.js';
import type { IncidentAction, IncidentCommand } from './incident-decider.js';
import type { IncidentsState } from './incident-state.js';

/**
 * What people do with an incident. `actor` is the caller's id. Each rejects with `not-found` for an incident that is
 * unknown or was resolved too long ago, and with `invalid-request` or `conflict` by the rules of the decider.
 */
export interface IncidentCommands {
  /** Also acknowledges its alerts, so that nobody is reminded of them. */
  acknowledgeIncident(actor: string, gridId: string, incidentId: string): Promise<CommandReceipt>;
  resolveIncident(actor: string, gridId: string, incidentId: string, note: string): Promise<CommandReceipt>;
  /** An empty user id: nobody any more. */
  assignCommander(actor: string, gridId: string, incidentId: string, userId: string): Promise<CommandReceipt>;
  addNote(actor: string, gridId: string, incidentId: string, text: string): Promise<CommandReceipt>;
  /** The other incident becomes part of this one. */
  mergeIncident(actor: string, gridId: string, incidentId: string, mergedId: string): Promise<CommandReceipt>;
  /** Some of its alerts become an incident of their own. */
  splitIncident(
    actor: string,
    gridId: string,
    incidentId: string,
    alertIds: readonly string[],
  ): Promise<CommandReceipt & { readonly newId: string }>;
}

export interface IncidentCommandsOptions {
  readonly incidents: CommandHandler<IncidentCommand, unknown, IncidentsState>;
  readonly alerts: CommandHandler<AlertCommand, unknown>;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createIncidentCommands(options: IncidentCommandsOptions): IncidentCommands {
  const { incidents, newId, now } = options;
  const run = (command: IncidentAction) => incidents(incidentsStream(command.gridId), command);
  const by = (actor: string, gridId: string, incidentId: string) => ({ actor, at: now(), gridId, incidentId });
  return {
    async acknowledgeIncident(...of) {
      const { position, state } = await run({ ...by(...of), type: 'Acknowledge' });
      return { position: (await acknowledgeAlerts(options, by(...of), state)) ?? position };
    },
    async resolveIncident(actor, gridId, incidentId, note) {
      return run({ ...by(actor, gridId, incidentId), type: 'Resolve', note });
    },
    async assignCommander(actor, gridId, incidentId, commander) {
      return run({ ...by(actor, gridId, incidentId), type: 'AssignCommander', commander });
    },
    async addNote(actor, gridId, incidentId, text) {
      return run({ ...by(actor, gridId, incidentId), type: 'Note', noteId: newId(), text });
    },
    async mergeIncident(actor, gridId, incidentId, mergedId) {
      return run({ ...by(actor, gridId, incidentId), type: 'Merge', mergedId });
    },
    async splitIncident(actor, gridId, incidentId, alertIds) {
      const split = newId();
      const { position } = await run({ ...by(actor, gridId, incidentId), type: 'Split', newId: split, alertIds });
      return { position, newId: split };
    },
  };
}

/** Position of the last acknowledgement; undefined: none was necessary. After a crash the policy continues. */
async function acknowledgeAlerts(
  { alerts }: Pick<IncidentCommandsOptions, 'alerts'>,
  {
    incidentId,
    ...by
  }: { readonly actor: string; readonly at: number; readonly gridId: string; readonly incidentId: string },
  { incidents }: IncidentsState,
): Promise<CommandReceipt['position'] | undefined> {
  let last: CommandReceipt['position'] | undefined;
  for (const { alertId, acknowledgedBy } of incidents.get(incidentId)?.firing.values() ?? []) {
    if (acknowledgedBy !== undefined) continue;
    last =
      (await alerts(alertsStream(by.gridId), { ...by, type: 'Acknowledge', alertId }).catch(ignoreNotFound))
        ?.position ?? last;
  }
  return last;
}

/** An alert that has ended meanwhile needs nobody. */
function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof HindsightError && error.code === 'not-found')) throw error;
}
