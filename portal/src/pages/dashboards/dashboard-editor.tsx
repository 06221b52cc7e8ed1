import { lazy, Suspense } from 'react';
import type { Schemas } from '../../api/client';
import { faultsOf } from '../../charts/faults';
import { Field } from '../../ui/field';
import { LeaveDialog } from '../../ui/leave-dialog';
import { Skeleton } from '../../ui/skeleton';
import { useUnsavedGuard, type StaysOn } from '../../ui/use-unsaved-guard';
import controls from '../../ui/controls.module.css';
import { ChartChoice } from './chart-choice';
import { ChangedMeanwhile, useDashboardChanges } from './use-dashboard-changes';
import { useDraft } from './use-draft';
import styles from './board.module.css';

// Heavy, and of use to those alone who arrange.
const BoardEditor = lazy(() => import('./board-editor'));

interface DashboardEditorProps {
  readonly dashboard: Schemas['Dashboard'];
  readonly stays: StaysOn;
  readonly onDone: () => void;
}

/** The whole dashboard is saved at once, or not at all. */
export function DashboardEditor({ dashboard, stays, onDone }: DashboardEditorProps) {
  const { draft, basedOn, isChanged, change, add, remove, keep, start } = useDraft(dashboard);
  const { replace } = useDashboardChanges();
  const { finish, asked } = useUnsavedGuard(isChanged, stays, onDone);
  const faults = faultsOf(replace.error, ['title', 'description', ...draft.charts.flatMap((_, index) => [`charts[${index}].chartId`, `charts[${index}].position`])]);
  const body = { title: draft.title, description: draft.description, charts: draft.charts.map(({ chartId, position }) => ({ chartId, position })) };
  const save = (on: string | undefined): void => replace.mutate({ dashboardId: dashboard.id, body, basedOn: on }, { onSuccess: keep });
  const theirs = replace.error instanceof ChangedMeanwhile ? replace.error.theirs : undefined;
  const takeTheirs = (other: Schemas['Dashboard']): void => {
    replace.reset();
    start(other);
  };
  return (
    <div className="stack">
      <div className={`${controls.row} ${styles.bar}`}>
        <button type="button" className={controls.primary} disabled={!isChanged || replace.isPending} onClick={() => save(basedOn)}>Save</button>
        <button type="button" className={controls.button} onClick={finish}>{isChanged ? 'Discard' : 'Done'}</button>
        <span className={styles.quiet} role="status">{replace.isPending ? 'Saving …' : isChanged ? 'Not saved yet.' : replace.isSuccess ? 'Saved.' : ''}</span>
        {faults.general !== undefined && <span className={controls.fault} role="alert">{faults.general}</span>}
        {theirs !== undefined && <button type="button" className={controls.danger} onClick={() => save(undefined)}>Save mine over theirs</button>}
        {theirs !== undefined && <button type="button" className={controls.button} onClick={() => takeTheirs(theirs)}>Take theirs, lose mine</button>}
      </div>
      <Field label="Title" fault={faults.of('title')}>{(told) => <input {...told} className={controls.input} value={draft.title} maxLength={200} onChange={(event) => change({ title: event.target.value })} />}</Field>
      <Field label="What it is for" fault={faults.of('description')}>{(told) => <input {...told} className={controls.input} value={draft.description} maxLength={2_000} onChange={(event) => change({ description: event.target.value })} />}</Field>
      <ChartChoice placed={new Set(draft.charts.map(({ chartId }) => chartId))} onAdd={add} />
      <Suspense fallback={<Skeleton height="20rem" />}>
        <BoardEditor charts={draft.charts} faults={faults} onChange={(charts) => change({ charts })} onRemove={remove} />
      </Suspense>
      {asked !== undefined && <LeaveDialog what="this dashboard" guard={asked} />}
    </div>
  );
}
