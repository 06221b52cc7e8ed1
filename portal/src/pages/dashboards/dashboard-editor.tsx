import { lazy, Suspense, useState } from 'react';
import type { Schemas, WithEtag } from '../../api/api-client';
import { FormField, toFormErrors } from '../../ui/form-field';
import { EditConflictActions } from '../../definitions/edit-conflict-dialogs';
import { readDashboard } from '../../definitions/definition-requests';
import { useEditedDefinition } from '../../definitions/definition-queries';
import {
  type EditorLocationMatcher,
  UnsavedChangesDialog,
  useUnsavedChangesGuard,
} from '../../ui/unsaved-changes-guard';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { useDashboardMutations } from './use-dashboard-mutations';
import { useDashboardDraft } from './use-dashboard-draft';
import styles from './dashboards.module.css';
import { Plus } from 'lucide-react';
import { useCharts } from '../../charts/chart-hooks';
import { Card } from '../../ui/card';
import { VirtualList } from '../../ui/virtual-list';

// Heavy, and of use to those alone who arrange.
const DashboardLayoutEditor = lazy(() => import('./dashboard-layout-editor'));

interface DashboardEditorProps {
  readonly dashboardId: string;
  readonly stays: EditorLocationMatcher;
  readonly onDone: () => void;
}

/** Begins with the dashboard as it is now, whatever was looked at. */
export function DashboardEditor({ dashboardId, ...others }: DashboardEditorProps) {
  const { query, take } = useEditedDefinition('dashboards', dashboardId, readDashboard);
  return (
    <QueryBoundary query={query} skeleton={<Skeleton height="20rem" />}>
      {(read) => <LoadedDashboardEditor key={query.dataUpdatedAt} read={read} onTake={take} {...others} />}
    </QueryBoundary>
  );
}

interface LoadedDashboardEditorProps extends Omit<DashboardEditorProps, 'dashboardId'> {
  readonly read: WithEtag<Schemas['Dashboard']>;
  readonly onTake: (theirs: WithEtag<Schemas['Dashboard']>) => void;
}

/** The whole dashboard is saved at once, or not at all. */
function LoadedDashboardEditor({ read, stays, onDone, onTake }: LoadedDashboardEditorProps) {
  const { draft, basedOn, isChanged, change, add, remove, keep } = useDashboardDraft(read);
  const { replace } = useDashboardMutations();
  const { finish, asked } = useUnsavedChangesGuard(isChanged, stays, onDone);
  const faults = toFormErrors(replace.error, [
    'title',
    'description',
    ...draft.charts.flatMap((_, index) => [`charts[${index}].chartId`, `charts[${index}].position`]),
  ]);
  const body = {
    title: draft.title,
    description: draft.description,
    charts: draft.charts.map(({ chartId, position }) => ({ chartId, position })),
  };
  const save = (etag: string): void => replace.mutate({ id: read.record.id, body, etag }, { onSuccess: keep });
  return (
    <div className="stack">
      <div className={`${controls.row} ${styles.bar}`}>
        <button
          type="button"
          className={controls.primary}
          disabled={!isChanged || replace.isPending}
          onClick={() => save(basedOn)}
        >
          Save
        </button>
        <button type="button" className={controls.button} onClick={finish}>
          {isChanged ? 'Discard' : 'Done'}
        </button>
        <span className={styles.quiet} role="status">
          {replace.isPending ? 'Saving …' : isChanged ? 'Not saved yet.' : replace.isSuccess ? 'Saved.' : ''}
        </span>
        {faults.general !== undefined && (
          <span className={controls.fault} role="alert">
            {faults.general}
          </span>
        )}
        <EditConflictActions error={replace.error} onOverwrite={({ etag }) => save(etag)} onTake={onTake} />
      </div>
      <FormField label="Title" fault={faults.forField('title')}>
        {(told) => (
          <input
            {...told}
            className={controls.input}
            value={draft.title}
            maxLength={200}
            onChange={(event) => change({ title: event.target.value })}
          />
        )}
      </FormField>
      <FormField label="What it is for" fault={faults.forField('description')}>
        {(told) => (
          <input
            {...told}
            className={controls.input}
            value={draft.description}
            maxLength={2_000}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </FormField>
      <ChartPicker placed={new Set(draft.charts.map(({ chartId }) => chartId))} onAdd={add} />
      <Suspense fallback={<Skeleton height="20rem" />}>
        <DashboardLayoutEditor
          charts={draft.charts}
          faults={faults}
          onChange={(charts) => change({ charts })}
          onRemove={remove}
        />
      </Suspense>
      {asked !== undefined && <UnsavedChangesDialog what="this dashboard" guard={asked} />}
    </div>
  );
}

interface ChartPickerProps {
  readonly placed: ReadonlySet<string>;
  readonly onAdd: (chart: { readonly id: string; readonly title: string }) => void;
}

/** Charts of the Grid's own, which are what a dashboard can show. */
function ChartPicker({ placed, onAdd }: ChartPickerProps) {
  const charts = useCharts();
  const [words, setWords] = useState('');
  return (
    <Card title="Add charts">
      <div className="stack">
        <input
          type="search"
          className={controls.input}
          aria-label="Find a chart"
          placeholder="Find a chart"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <QueryBoundary query={charts}>
          {({ charts: all }) => {
            const found = all.filter(
              ({ id, title, builtIn }) =>
                !builtIn && !placed.has(id) && title.toLowerCase().includes(words.trim().toLowerCase()),
            );
            if (found.length === 0)
              return (
                <p className={styles.quiet}>
                  {words === ''
                    ? 'No chart is left to add. Save one on the page of metrics.'
                    : 'No chart of this name.'}
                </p>
              );
            return (
              <VirtualList items={found} rowHeight={44} getItemId={({ id }) => id} label="Charts to add" height="14rem">
                {(chart) => (
                  <div className={styles.choice}>
                    <span title={chart.title}>{chart.title}</span>
                    <button
                      type="button"
                      className={controls.button}
                      aria-label={`Add ${chart.title}`}
                      onClick={() => onAdd(chart)}
                    >
                      <Plus size={14} aria-hidden /> Add
                    </button>
                  </div>
                )}
              </VirtualList>
            );
          }}
        </QueryBoundary>
      </div>
    </Card>
  );
}
