import { LayoutGrid, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { hasStatus } from '../../api/problem';
import { useLinks } from '../../app/use-links';
import { PictureButton } from '../../charts/picture-button';
import { useDashboard, useDashboards } from '../../charts/use-dashboards';
import { useMay } from '../../session/use-session';
import { useParameters } from '../../time/use-parameters';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { Board } from './board';
import { DashboardEditor } from './dashboard-editor';
import { DeleteDialog } from './delete-dialog';

/** One dashboard over the view; Members arrange those that are not of a service. */
export default function DashboardPage() {
  const { dashboardId = '' } = useParams();
  const { pathname } = useLocation();
  const [parameters, change] = useParameters();
  const dashboard = useDashboard(dashboardId);
  const isBuiltIn = useDashboards().data?.dashboards.find(({ id }) => id === dashboardId)?.builtIn;
  const mayEdit = useMay('Member') && isBuiltIn === false;
  const isEditing = mayEdit && parameters.get('edit') === '1';
  const links = useLinks();
  if (hasStatus(dashboard.error, 404))
    return (
      <Page title="Dashboard">
        <EmptyState title="There is no such dashboard">
          It may have been deleted. <Link to={links.page('dashboards')}>All dashboards</Link>
        </EmptyState>
      </Page>
    );
  const title = dashboard.data?.title ?? 'Dashboard';
  return (
    <Page
      title={title}
      lead={dashboard.data?.description}
      actions={
        !isEditing && <Actions id={dashboardId} title={title} mayEdit={mayEdit} onEdit={() => change({ edit: '1' })} />
      }
    >
      <QueryState query={dashboard} skeleton={<BoardSkeleton />}>
        {(data) => {
          if (isEditing)
            return (
              <DashboardEditor
                key={dashboardId}
                dashboardId={dashboardId}
                stays={(next) => next.pathname === pathname && new URLSearchParams(next.search).get('edit') === '1'}
                onDone={() => change({ edit: undefined })}
              />
            );
          return data.charts.length === 0 ? (
            <EmptyState title="Nothing on it yet">
              {mayEdit ? 'Choose Arrange, and add charts.' : 'A Member can add charts.'}
            </EmptyState>
          ) : (
            <Board title={data.title} charts={data.charts} />
          );
        }}
      </QueryState>
    </Page>
  );
}

interface ActionsProps {
  readonly id: string;
  readonly title: string;
  readonly mayEdit: boolean;
  readonly onEdit: () => void;
}

function Actions({ id, title, mayEdit, onEdit }: ActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <PictureButton kind="dashboards" id={id} title={title} isWide />
      {mayEdit && (
        <button type="button" className={controls.button} onClick={onEdit}>
          <LayoutGrid size={15} aria-hidden /> Arrange
        </button>
      )}
      {mayEdit && (
        <button type="button" className={controls.danger} onClick={() => setDeleting(true)}>
          <Trash2 size={15} aria-hidden /> Delete
        </button>
      )}
      {isDeleting && <DeleteDialog id={id} title={title} onClose={() => setDeleting(false)} />}
    </>
  );
}

function BoardSkeleton() {
  return (
    <div className="grid">
      {[1, 2, 3, 4].map((each) => (
        <Skeleton key={each} height="14rem" />
      ))}
    </div>
  );
}
