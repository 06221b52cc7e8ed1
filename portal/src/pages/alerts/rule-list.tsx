import { Plus } from 'lucide-react';
import type { Schemas } from '../../api/client';
import { useRules } from '../../charts/use-rules';
import { DataTable } from '../../diagnostics/data-table';
import { ServiceLink } from '../../diagnostics/service-link';
import { Severity } from '../../diagnostics/severity';
import { valueWriter } from '../../format/units';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { conditionText, isAsDelivered } from './rules';
import { useRuleChanges } from './use-rule-changes';
import styles from './alerts.module.css';

/** All rules; one is opened to be changed and tried. */
export function RuleList({ onOpen }: { readonly onOpen: (ruleId: string) => void }) {
  const rules = useRules();
  return (
    <Card
      title="Rules"
      aside={
        <button type="button" className={controls.primary} onClick={() => onOpen('new')}>
          <Plus size={15} aria-hidden /> New rule
        </button>
      }
    >
      <QueryState query={rules} skeleton={<Skeleton lines={5} />}>
        {({ rules: all }) =>
          all.length === 0 ? (
            <EmptyState title="No rule watches">Create one, and try it over past data before you save it.</EmptyState>
          ) : (
            <RuleTable rules={all} onOpen={onOpen} />
          )
        }
      </QueryState>
    </Card>
  );
}

function RuleTable({
  rules,
  onOpen,
}: {
  readonly rules: readonly Schemas['AlertRule'][];
  readonly onOpen: (ruleId: string) => void;
}) {
  const { watch } = useRuleChanges();
  return (
    <>
      <DataTable
        label="Alert rules"
        rows={rules}
        idOf={({ id }) => id}
        columns={[
          {
            title: 'Watches',
            cell: (rule) => (
              <label className={controls.row}>
                <input
                  type="checkbox"
                  role="switch"
                  checked={rule.enabled}
                  disabled={watch.isPending}
                  aria-label={`${rule.name} watches`}
                  onChange={() => watch.mutate({ ruleId: rule.id, enabled: !rule.enabled })}
                />{' '}
                {rule.enabled ? 'On' : 'Off'}
              </label>
            ),
          },
          {
            title: 'Rule',
            cell: (rule) => (
              <>
                <strong>{rule.name}</strong>{' '}
                {isAsDelivered(rule) && (
                  <span className={styles.badge} title="As every Grid begins with">
                    Default
                  </span>
                )}
                <div className={styles.condition}>{conditionText(rule, valueWriter)}</div>
              </>
            ),
          },
          {
            title: 'Service',
            cell: ({ serviceName }) =>
              serviceName === undefined ? 'Every service' : <ServiceLink name={serviceName} />,
          },
          { title: 'Severity', cell: ({ severity }) => <Severity severity={severity} /> },
          {
            title: 'Change',
            cell: ({ id, name }) => (
              <button
                type="button"
                className={controls.button}
                aria-label={`Change or try ${name}`}
                onClick={() => onOpen(id)}
              >
                Change or try
              </button>
            ),
          },
        ]}
      />
      {watch.error !== null && (
        <p className={controls.fault} role="alert">
          {watch.error.message}
        </p>
      )}
    </>
  );
}
