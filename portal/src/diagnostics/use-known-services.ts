import { useDiagnostic } from '../api/use-diagnostic';

/** Tells services from what is only called by them, such as a database, which has no page. All count as services until it is known. */
export function useKnownServices(): (name: string) => boolean {
  const { data } = useDiagnostic('health');
  if (data === undefined) return () => true;
  const known = new Set(data.services.map(({ serviceName }) => serviceName));
  return (name) => known.has(name);
}
