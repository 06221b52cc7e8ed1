import { StatusBadge, type StatusLevel } from '../../ui/status-badge';
import type { Incident } from './incident-queries';

const LABELS: Readonly<Record<Incident['status'], string>> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  recovering: 'Recovering',
  resolved: 'Resolved',
  merged: 'Part of another',
};

/** Status of an incident; how bad it is shows in its severity. */
export function IncidentStatus({
  incident: { status, severity },
}: {
  readonly incident: Pick<Incident, 'status' | 'severity'>;
}) {
  return <StatusBadge level={chooseLevel(status, severity)}>{LABELS[status]}</StatusBadge>;
}

function chooseLevel(status: Incident['status'], severity: string): StatusLevel {
  if (status === 'resolved') return 'good';
  if (status === 'recovering') return 'recovering';
  if (status === 'merged') return 'unknown';
  return severity === 'critical' ? 'critical' : 'warning';
}

/** Whether anybody still has to do something about it. */
export function isUnresolved({ endedAt }: Pick<Incident, 'endedAt'>): boolean {
  return endedAt === null;
}
