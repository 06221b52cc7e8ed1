import { lazy, Suspense } from 'react';
import type { Schemas, Tagged } from '../../api/client';
import { faultsOf } from '../../charts/faults';
import { MeanwhileChoice } from '../../definitions/meanwhile-choice';
import { readDashboard } from '../../definitions/read-definition';
import { useDefinition } from '../../definitions/use-definition';
import { Field } from '../../ui/field';
import { LeaveDialog } from '../../ui/leave-dialog';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { useUnsavedGuard, type StaysOn } from '../../ui/use-unsaved-guard';
import controls from '../../ui/controls.module.css';
import { ChartChoice } from './chart-choice';
import { useDashboardChanges } from './use-dashboard-changes';
import { useDraft } from './use-draft';
import styles from './board.module.css';

// Heavy, and of use to those alone who arrange.
const BoardEditor = lazy(() => import('./board-editor'));

interface DashboardEditorProps {
  readonly dashboardId: string;
  readonly stays: StaysOn;
  readonly onDone: () => void;
}

/** Begins with the dashboard as it is now, whatever was looked at. */
export function DashboardEditor({ dashboardId, ...others }: DashboardEditorProps) {
  const { query, take } = useDefinition('dashboards', dashboardId, readDashboard);
  return (
    <QueryState query={query} skeleton={<Skeleton height="20rem" />}>
      {(read) => <EditorOfRead key={query.dataUpdatedAt} read={read} onTake={take} {...others} />}
    </QueryState>
  );
}

interface EditorOfReadProps extends Omit<DashboardEditorProps, 'dashboardId'> {
  readonly read: Tagged<Schemas['Dashboard']>;
  readonly onTake: (theirs: Tagged<Schemas['Dashboard']>) => void;
}

/** The whole dashboard is saved at once, or not at all. */
function EditorOfRead({ read, stays, onDone, onTake }: EditorOfReadProps) {
  const { draft, basedOn, isChanged, change, add, remove, keep } = useDraft(read);
  const { replace } = useDashboardChanges();
  const { finish, asked } = useUnsavedGuard(isChanged, stays, onDone);
  const faults = faultsOf(replace.error, [
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
        <MeanwhileChoice error={replace.error} onOverwrite={({ etag }) => save(etag)} onTake={onTake} />
      </div>
      <Field label="Title" fault={faults.of('title')}>
        {(told) => (
          <input
            {...told}
            className={controls.input}
            value={draft.title}
            maxLength={200}
            onChange={(event) => change({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label="What it is for" fault={faults.of('description')}>
        {(told) => (
          <input
            {...told}
            className={controls.input}
            value={draft.description}
            maxLength={2_000}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </Field>
      <ChartChoice placed={new Set(draft.charts.map(({ chartId }) => chartId))} onAdd={add} />
      <Suspense fallback={<Skeleton height="20rem" />}>
        <BoardEditor
          charts={draft.charts}
          faults={faults}
          onChange={(charts) => change({ charts })}
          onRemove={remove}
        />
      </Suspense>
      {asked !== undefined && <LeaveDialog what="this dashboard" guard={asked} />}
    </div>
  );
}
