import type { Schemas } from '../../api/client';
import controls from '../../ui/controls.module.css';
import type { ChangeFilter } from './use-change-filter';

const TYPES = [
  ['deployment', 'Deployments'],
  ['scaling', 'Scaling'],
  ['new_service', 'New services'],
  ['new_endpoint', 'New endpoints'],
] as const;

export function ChangeFilters({
  changes,
  filter: { type, service, choose },
}: {
  readonly changes: readonly Schemas['Change'][];
  readonly filter: ChangeFilter;
}) {
  const services = [
    ...new Set([...changes.map(({ serviceName }) => serviceName), ...(service === '' ? [] : [service])]),
  ].sort();
  return (
    <div className={controls.row}>
      <label className={controls.field}>
        Type
        <select className={controls.select} value={type} onChange={(event) => choose('type', event.target.value)}>
          <option value="">All types</option>
          {TYPES.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label className={controls.field}>
        Service
        <select className={controls.select} value={service} onChange={(event) => choose('service', event.target.value)}>
          <option value="">All services</option>
          {services.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
