import { useLocation } from 'react-router';
import { hasStatus } from '../../api/api-error';
import { readAlertRule } from '../../definitions/definition-requests';
import { useAlertRules, useEditedDefinition } from '../../definitions/definition-queries';
import { useUrlParameters } from '../../time/use-url-parameters';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import type { EditorLocationMatcher } from '../../ui/unsaved-changes-guard';
import { AlertRuleEditor } from './alert-rule-editor';
import { Plus } from 'lucide-react';
import type { Schemas } from '../../api/api-client';
import { DataTable } from '../../components/data-table';
import { ServiceLink } from '../../components/service-links';
import { SeverityBadge } from '../../components/severity-badges';
import { createUnitFormatter } from '../../format/number-format';
import { Card } from '../../ui/card';
import controls from '../../ui/controls.module.css';
import { formatCondition, isDefaultRule } from './alert-rule-model';
import { useAlertRuleMutations } from './use-alert-rule-mutations';
import styles from './alerts.module.css';

/** All rules, or the one that the address names. */
export function AlertRulesTab() {
  const [parameters, change] = useUrlParameters();
  const { pathname } = useLocation();
  const ruleId = parameters.get('rule');
  if (ruleId === null) return <AlertRuleList onOpen={(id) => change({ rule: id })} />;
  const stays: EditorLocationMatcher = (next) =>
    next.pathname === pathname && new URLSearchParams(next.search).get('rule') === ruleId;
  const done = (): void => change({ rule: undefined, tab: 'rules' });
  if (ruleId === 'new') return <AlertRuleEditor key="new" stays={stays} onDone={done} />;
  return <ExistingRuleEditor key={ruleId} ruleId={ruleId} stays={stays} onDone={done} />;
}

function ExistingRuleEditor({
  ruleId,
  stays,
  onDone,
}: {
  readonly ruleId: string;
  readonly stays: EditorLocationMatcher;
  readonly onDone: () => void;
}) {
  const { query, take } = useEditedDefinition('alert-rules', ruleId, readAlertRule);
  if (hasStatus(query.error, 404))
    return (
      <EmptyState title="There is no such rule">
        It may have been deleted.{' '}
        <button type="button" onClick={onDone}>
          All rules
        </button>
      </EmptyState>
    );
  return (
    <QueryBoundary query={query} skeleton={<Skeleton height="18rem" />}>
      {(read) => <AlertRuleEditor key={query.dataUpdatedAt} read={read} onTake={take} stays={stays} onDone={onDone} />}
    </QueryBoundary>
  );
}

/** All rules; one is opened to be changed and tried. */
function AlertRuleList({ onOpen }: { readonly onOpen: (ruleId: string) => void }) {
  const rules = useAlertRules();
  return (
    <Card
      title="Rules"
      aside={
        <button type="button" className={controls.primary} onClick={() => onOpen('new')}>
          <Plus size={15} aria-hidden /> New rule
        </button>
      }
    >
      <QueryBoundary query={rules} skeleton={<Skeleton lines={5} />}>
        {({ rules: all }) =>
          all.length === 0 ? (
            <EmptyState title="No rule watches">Create one, and try it over past data before you save it.</EmptyState>
          ) : (
            <AlertRuleTable rules={all} onOpen={onOpen} />
          )
        }
      </QueryBoundary>
    </Card>
  );
}

function AlertRuleTable({
  rules,
  onOpen,
}: {
  readonly rules: readonly Schemas['AlertRule'][];
  readonly onOpen: (ruleId: string) => void;
}) {
  const { watch } = useAlertRuleMutations();
  return (
    <>
      <DataTable
        label="Alert rules"
        rows={rules}
        getRowKey={({ id }) => id}
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
                {isDefaultRule(rule) && (
                  <span className={styles.badge} title="As every Grid begins with">
                    Default
                  </span>
                )}
                <div className={styles.condition}>{formatCondition(rule, createUnitFormatter)}</div>
              </>
            ),
          },
          {
            title: 'Service',
            cell: ({ serviceName }) =>
              serviceName === undefined ? 'Every service' : <ServiceLink name={serviceName} />,
          },
          { title: 'Severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
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
