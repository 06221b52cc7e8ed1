import { levelOf, Status, type Level } from '../ui/status';

/** Severity as the API words it. Information is no praise: it stands without the mark of what is well. */
export function Severity({ severity }: { readonly severity: string }) {
  const level: Level = severity === 'info' ? 'unknown' : levelOf(severity);
  return <Status level={level}>{severity === 'info' ? 'Info' : severity === 'warning' ? 'Warning' : 'Critical'}</Status>;
}

export function Health({ status }: { readonly status: string }) {
  return <Status level={levelOf(status)}>{status === 'healthy' ? 'Healthy' : 'Degraded'}</Status>;
}
