import { Plus } from 'lucide-react';
import { useLocation } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { hasStatus } from '../../api/api-error';
import { DataTable } from '../../components/data-table';
import { ServiceLink } from '../../components/service-links';
import { SeverityBadge } from '../../components/severity-badges';
import { useAlertRules, useEditedDefinition } from '../../definitions/definition-queries';
import { readAlertRule } from '../../definitions/definition-requests';
import { parseExploreQuery } from '../explore/explore-query';
import { createUnitFormatter } from '../../format/number-format';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import type { EditorLocationMatcher } from '../../ui/unsaved-changes-guard';
import { AlertRuleEditor } from './alert-rule-editor';
import { createQueryDraft, formatCondition, NEW_RULE_DRAFT, toRuleDraft } from './alert-rule-model';
import { useAlertRuleMutations } from './use-alert-rule-mutations';
import controls from '../../ui/controls.module.css';
import styles from './alerts.module.css';

/** The list of rules, or the editor of the rule in the URL. */
export function AlertRulesTab() {
  const [parameters, change] = useUrlParameters();
  const { pathname } = useLocation();
  const ruleId = parameters.get('rule');
  if (ruleId === null) return <AlertRuleList onOpen={(id) => change({ rule: id })} />;
  const isInEditor: EditorLocationMatcher = (next) =>
    next.pathname === pathname && new URLSearchParams(next.search).get('rule') === ruleId;
  const handleDone = (): void => change({ ...NO_QUERY, rule: undefined, tab: 'rules' });
  if (ruleId === 'new')
    return (
      <AlertRuleEditor
        key="new"
        initial={parameters.has('signal') ? createQueryDraft(parseExploreQuery(parameters)) : NEW_RULE_DRAFT}
        isInEditor={isInEditor}
        onDone={handleDone}
      />
    );
  return <ExistingRuleEditor key={ruleId} ruleId={ruleId} isInEditor={isInEditor} onDone={handleDone} />;
}

/** The parameters of a query that a new rule begins with. */
const NO_QUERY = { signal: undefined, where: undefined, by: undefined, select: undefined };

function ExistingRuleEditor({
  ruleId,
  isInEditor,
  onDone,
}: {
  readonly ruleId: string;
  readonly isInEditor: EditorLocationMatcher;
  readonly onDone: () => void;
}) {
  const { query, take } = useEditedDefinition('alert-rules', ruleId, readAlertRule);
  if (hasStatus(query.error, 404))
    return (
      <EmptyState title="Rule not found">
        It may have been deleted.{' '}
        <button type="button" onClick={onDone}>
          All rules
        </button>
      </EmptyState>
    );
  return (
    <QueryBoundary query={query} skeleton={<Skeleton height="18rem" />}>
      {(read) => (
        <AlertRuleEditor
          key={query.dataUpdatedAt}
          read={read}
          initial={toRuleDraft(read.record)}
          onTake={take}
          isInEditor={isInEditor}
          onDone={onDone}
        />
      )}
    </QueryBoundary>
  );
}

/** All rules, with a button to edit each. */
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
            <EmptyState title="No alert rules yet">
              Create a rule, and backtest it over past data before you save it.
            </EmptyState>
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
            title: 'Enabled',
            cell: (rule) => (
              <label className={controls.row}>
                <input
                  type="checkbox"
                  role="switch"
                  checked={rule.enabled}
                  disabled={watch.isPending}
                  aria-label={`${rule.name} enabled`}
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
                {rule.isDefault && (
                  <span className={styles.badge} title="Every new Grid starts with this rule">
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
              serviceName === undefined ? 'All services' : <ServiceLink name={serviceName} />,
          },
          { title: 'Severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
          {
            title: 'Actions',
            cell: ({ id, name }) => (
              <button
                type="button"
                className={controls.button}
                aria-label={`Edit or backtest ${name}`}
                onClick={() => onOpen(id)}
              >
                Edit or backtest
              </button>
            ),
          },
        ]}
      />
      {watch.error !== null && (
        <p className={controls.error} role="alert">
          {watch.error.message}
        </p>
      )}
    </>
  );
}
