import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Schemas, WithEtag } from '../../api/api-client';
import { useCharts } from '../../charts/chart-hooks';
import { useEditedDefinition } from '../../definitions/definition-queries';
import { readDashboard } from '../../definitions/definition-requests';
import { EditConflictActions } from '../../definitions/edit-conflict-dialogs';
import { Card } from '../../ui/card';
import { FormField, toFormErrors } from '../../ui/form-field';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import {
  type EditorLocationMatcher,
  UnsavedChangesDialog,
  useUnsavedChangesGuard,
} from '../../ui/unsaved-changes-guard';
import { VirtualList } from '../../ui/virtual-list';
import { useDashboardDraft } from './use-dashboard-draft';
import { useDashboardMutations } from './use-dashboard-mutations';
import { parseVariables } from './variable-filter';
import controls from '../../ui/controls.module.css';
import styles from './dashboards.module.css';

// A large chunk that only editors need.
const DashboardLayoutEditor = lazy(() => import('./dashboard-layout-editor'));

interface DashboardEditorProps {
  readonly dashboardId: string;
  readonly isInEditor: EditorLocationMatcher;
  readonly onDone: () => void;
}

/** Edits the current version of the dashboard, whatever the time view. */
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

/** Saves all changes of the dashboard at once. */
function LoadedDashboardEditor({ read, isInEditor, onDone, onTake }: LoadedDashboardEditorProps) {
  const { draft, basedOn, isChanged, change, add, remove, markSaved } = useDashboardDraft(read);
  const { replace } = useDashboardMutations();
  const { finish, pending } = useUnsavedChangesGuard(isChanged, isInEditor, onDone);
  const variables = parseVariables(draft.variables);
  const variableErrors = ['variables', ...variables.map((_, index) => `variables[${index}]`)];
  const errors = toFormErrors(replace.error, [
    'title',
    'description',
    ...variableErrors,
    ...draft.charts.flatMap((_, index) => [`charts[${index}].chartId`, `charts[${index}].position`]),
  ]);
  const body = {
    title: draft.title,
    description: draft.description,
    charts: draft.charts.map(({ chartId, position }) => ({ chartId, position })),
    variables: [...variables],
  };
  const save = (etag: string): void => replace.mutate({ id: read.record.id, body, etag }, { onSuccess: markSaved });
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
          {replace.isPending ? 'Saving …' : isChanged ? 'Unsaved changes' : replace.isSuccess ? 'Saved' : ''}
        </span>
        {errors.general !== undefined && (
          <span className={controls.error} role="alert">
            {errors.general}
          </span>
        )}
        <EditConflictActions error={replace.error} onOverwrite={({ etag }) => save(etag)} onTake={onTake} />
      </div>
      <FormField label="Title" error={errors.forField('title')}>
        {(controlProps) => (
          <input
            {...controlProps}
            className={controls.input}
            value={draft.title}
            maxLength={200}
            onChange={(event) => change({ title: event.target.value })}
          />
        )}
      </FormField>
      <FormField label="Description" error={errors.forField('description')}>
        {(controlProps) => (
          <input
            {...controlProps}
            className={controls.input}
            value={draft.description}
            maxLength={2_000}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </FormField>
      <FormField
        label="Variables"
        error={variableErrors.map((field) => errors.forField(field)).find((message) => message !== undefined)}
        hint="Fields by which viewers narrow all charts, with commas between them, such as service, customer.tier. Charts of metrics can be narrowed by service only."
      >
        {(controlProps) => (
          <input
            {...controlProps}
            className={controls.input}
            value={draft.variables}
            onChange={(event) => change({ variables: event.target.value })}
          />
        )}
      </FormField>
      <ChartPicker placed={new Set(draft.charts.map(({ chartId }) => chartId))} onAdd={add} />
      <Suspense fallback={<Skeleton height="20rem" />}>
        <DashboardLayoutEditor
          charts={draft.charts}
          errors={errors}
          onChange={(charts) => change({ charts })}
          onRemove={remove}
        />
      </Suspense>
      {pending !== undefined && <UnsavedChangesDialog what="this dashboard" guard={pending} />}
    </div>
  );
}

interface ChartPickerProps {
  readonly placed: ReadonlySet<string>;
  readonly onAdd: (chart: { readonly id: string; readonly title: string }) => void;
}

/** Custom charts that are not on the dashboard yet. Built-in ones cannot be added. */
function ChartPicker({ placed, onAdd }: ChartPickerProps) {
  const charts = useCharts();
  const [search, setSearch] = useState('');
  return (
    <Card title="Add charts">
      <div className="stack">
        <input
          type="search"
          className={controls.input}
          aria-label="Find a chart"
          placeholder="Find a chart"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <QueryBoundary query={charts}>
          {({ charts: all }) => {
            const available = all.filter(
              ({ id, title, builtIn }) =>
                !builtIn && !placed.has(id) && title.toLowerCase().includes(search.trim().toLowerCase()),
            );
            if (available.length === 0)
              return (
                <p className={styles.quiet}>
                  {search === '' ? 'No more charts to add. Create charts on the Metrics page.' : 'No matching charts.'}
                </p>
              );
            return (
              <VirtualList
                items={available}
                rowHeight={44}
                getItemId={({ id }) => id}
                label="Charts to add"
                height="14rem"
              >
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
