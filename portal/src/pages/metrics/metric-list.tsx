import { EmptyState } from '../../ui/empty-state';
import { VirtualRows } from '../../ui/virtual-rows';
import type { Drawable } from './catalogue';
import styles from './metrics.module.css';

interface MetricListProps {
  readonly metrics: readonly Drawable[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

export function MetricList({ metrics, chosen, onChoose }: MetricListProps) {
  if (metrics.length === 0)
    return <EmptyState title="No metric matches">Search for another word, or choose every service.</EmptyState>;
  return (
    <VirtualRows items={metrics} rowHeight={52} idOf={({ name }) => name} label="Metrics" height="60vh">
      {({ name, title, unit, type, isDerived, services }) => (
        <button
          type="button"
          className={styles.row}
          aria-current={name === chosen || undefined}
          title={name}
          onClick={() => onChoose(name)}
        >
          <span>{title}</span>
          <span className={styles.quiet}>
            {[unit, type, isDerived ? '' : servicesText(services)].filter((word) => word !== '').join(' · ')}
          </span>
        </button>
      )}
    </VirtualRows>
  );
}

const servicesText = (services: readonly string[]): string =>
  services.length === 1 ? services[0]! : `${services.length} services`;
