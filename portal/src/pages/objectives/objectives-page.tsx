import { ERROR_BUDGET_METRIC } from '../../../../src/diagnostics/chart-model.js';
import type { Schemas } from '../../api/api-client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { DataTable } from '../../components/data-table';
import { useHasRole } from '../../session/use-session';
import { Card } from '../../ui/card';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge } from '../../ui/status-badge';
import { AddChartButton } from '../dashboards/add-chart-dialog';
import { NewDefinitionDialog } from '../notifications/definition-dialog';
import { BudgetBar, BurnRates } from './budget-bar';
import { ObjectiveActions } from './objective-actions';
import { NEW_OBJECTIVE, OBJECTIVE_FORM } from './objective-form';
import { type Objective, useObjectives } from './objective-queries';
import { describeIndicator, describeStatus, describeTarget, formatShare } from './objective-text';
import controls from '../../ui/controls.module.css';
import styles from './objectives.module.css';

/** What all objectives have left. */
const BUDGET_CHART = { metric: ERROR_BUDGET_METRIC, serviceName: '', groupBy: '', aggregation: '', unit: '' } as const;
const BUDGET_CHART_TYPES = ['table', 'value', 'top_list'] as const;

/** Service level objectives with their error budgets. */
export default function ObjectivesPage() {
  const objectives = useObjectives();
  const mayChange = useHasRole('Member');
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Objectives"
      lead="How much may fail before users notice, what is left of it, and how fast it is used. A burn rate of 1 uses up the error budget exactly by the end of the window."
      actions={
        mayChange && (
          <>
            <AddChartButton chart={BUDGET_CHART} types={BUDGET_CHART_TYPES} />
            <button type="button" className={controls.primary} onClick={() => setCreating(true)}>
              <Plus size={15} aria-hidden /> New objective
            </button>
          </>
        )
      }
    >
      {isCreating && (
        <NewDefinitionDialog
          form={OBJECTIVE_FORM}
          title="New objective"
          initial={NEW_OBJECTIVE}
          onClose={() => setCreating(false)}
        />
      )}
      <QueryBoundary query={objectives} skeleton={<Skeleton height="8rem" />}>
        {({ slos, uncounted }) =>
          slos.length + uncounted.length === 0 ? (
            <EmptyState title="No objectives yet">
              {mayChange
                ? 'Create one for a service: the dialog compares usual objectives with the last days.'
                : 'A Member or an Owner of this Grid can create one.'}
            </EmptyState>
          ) : (
            <div className="stack">
              {uncounted.length > 0 && (
                <UncountedObjectives objectives={uncounted} onEdited={() => void objectives.refetch()} />
              )}
              {slos.length > 0 && (
                <Card>
                  <ObjectiveTable objectives={slos} />
                </Card>
              )}
            </div>
          )
        }
      </QueryBoundary>
    </Page>
  );
}

/** Objectives that could not be counted now, and why. */
function UncountedObjectives({
  objectives,
  onEdited,
}: {
  readonly objectives: readonly Schemas['UncountedSlo'][];
  readonly onEdited: () => void;
}) {
  return (
    <Card title="Not counted">
      <ul className={styles.uncounted}>
        {objectives.map((objective) => (
          <li key={objective.id}>
            {objective.name}
            <div className={styles.quiet}>{objective.failure.message}</div>
            <ObjectiveActions objective={objective} onEdited={onEdited} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ObjectiveTable({ objectives }: { readonly objectives: readonly Objective[] }) {
  const links = usePageLinks();
  return (
    <DataTable
      label="Objectives"
      rows={objectives}
      getRowKey={({ id }) => id}
      columns={[
        {
          title: 'Objective',
          cell: (objective) => (
            <div className={styles.name}>
              <Link to={links.page(`objectives/${objective.id}`)}>{objective.name}</Link>
              <div className={styles.quiet}>{describeIndicator(objective)}</div>
            </div>
          ),
        },
        {
          title: 'Status',
          cell: (objective) => {
            const { label, level } = describeStatus(objective);
            return <StatusBadge level={level}>{label}</StatusBadge>;
          },
        },
        {
          title: 'Good',
          cell: (objective) => (
            <>
              {formatShare(objective.sli)}
              <div className={styles.quiet}>of {describeTarget(objective)}</div>
            </>
          ),
        },
        { title: 'Error budget', cell: (objective) => <BudgetBar objective={objective} /> },
        { title: 'Burn rates', cell: (objective) => <BurnRates objective={objective} /> },
      ]}
    />
  );
}
