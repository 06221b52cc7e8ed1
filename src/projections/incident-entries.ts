import type { Severity } from '../diagnostics/diagnostic-results.js';
import type {
  IncidentAlertRecord,
  IncidentCauseRecord,
  IncidentEntry,
} from '../diagnostics/incidents/incident-model.js';
import type { IncidentAlert, IncidentCause, IncidentEvent } from '../streams/events/incident-events.js';

/** An entry of one incident. */
interface AddressedEntry {
  readonly incidentId: string;
  readonly entry: IncidentEntry;
}

type DataOf<Type extends IncidentEvent['type']> = Extract<IncidentEvent, { readonly type: Type }>['data'];

/** What an event adds to incidents; nothing for events of a newer version. Severities were validated before they were stored. */
export function toIncidentEntries({ type, data }: IncidentEvent): readonly AddressedEntry[] {
  const { at, incidentId } = data;
  const only = (entry: IncidentEntry): readonly AddressedEntry[] => [{ incidentId, entry }];
  switch (type) {
    case 'IncidentOpened.v1':
      return only({ kind: 'opened', at, ...toOpening(data), cause: toCause(data.cause), splitFrom: '', by: '' });
    case 'IncidentAlertAdded.v2':
      return toAddedEntries(data);
    case 'IncidentAlertChanged.v1': {
      const { alertId, change, severity, value, by } = data;
      return only({ kind: 'alert-changed', at, alertId, change, severity: severity as Severity, value, by });
    }
    case 'IncidentCauseChanged.v1':
      return only({ kind: 'cause-changed', at, title: data.title, cause: toCause(data.cause)! });
    case 'IncidentRecovering.v1':
      return only({ kind: 'recovering', at });
    case 'IncidentResolved.v1':
      return only({ kind: 'resolved', at, by: '', note: '' });
    case 'IncidentReopened.v1':
      return only({ kind: 'reopened', at, after: data.after });
    case 'IncidentAcknowledged.v1':
      return only({ kind: 'acknowledged', at, by: data.actor });
    case 'IncidentClosed.v1':
      return only({ kind: 'resolved', at, by: data.actor, note: data.note });
    case 'IncidentCommanderAssigned.v1':
      return only({ kind: 'commander-assigned', at, by: data.actor, commander: data.commander });
    case 'IncidentNoted.v1':
      return only({ kind: 'noted', at, by: data.actor, noteId: data.noteId, text: data.text });
    case 'IncidentsMerged.v1':
      return toMergedEntries(data);
    case 'IncidentSplit.v1':
      return toSplitEntries(data);
    default:
      return [];
  }
}

function toAddedEntries({ incidentId, at, alert, movedFrom, acknowledgedBy }: DataOf<'IncidentAlertAdded.v2'>) {
  const record = { ...toAlert(alert), ...(acknowledgedBy !== '' && { acknowledgedBy }) };
  const added: AddressedEntry = { incidentId, entry: { kind: 'alert-added', at, alert: record, movedFrom } };
  if (movedFrom === '') return [added];
  const { alertId } = alert;
  return [added, { incidentId: movedFrom, entry: { kind: 'alert-moved', at, alertId, movedTo: incidentId } as const }];
}

function toMergedEntries({ incidentId, mergedId, at, actor: by }: DataOf<'IncidentsMerged.v1'>): AddressedEntry[] {
  return [
    { incidentId, entry: { kind: 'merged', at, by, mergedId } },
    { incidentId: mergedId, entry: { kind: 'merged-into', at, by, intoId: incidentId } },
  ];
}

function toSplitEntries(data: DataOf<'IncidentSplit.v1'>): AddressedEntry[] {
  const { incidentId: splitFrom, newId, at, actor: by } = data;
  return [{ incidentId: newId, entry: { kind: 'opened', at, ...toOpening(data), cause: null, splitFrom, by } }];
}

function toOpening(opened: { readonly title: string; readonly severity: string; readonly startedAt: number }) {
  const { title, severity, startedAt } = opened;
  return { title, severity: severity as Severity, startedAt };
}

function toCause(cause: IncidentCause | null): IncidentCauseRecord | null {
  return cause && { ...cause, severity: cause.severity as Severity };
}

function toAlert({ ruleId: _, ...alert }: IncidentAlert): IncidentAlertRecord {
  return { ...alert, severity: alert.severity as Severity };
}
