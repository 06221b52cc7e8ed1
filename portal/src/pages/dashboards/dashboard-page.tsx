import { LayoutGrid, Pencil, Server, Trash2 } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { hasStatus } from '../../api/api-error';
import { usePageLinks } from '../../app/page-links';
import { ImageExportButton } from '../../charts/chart-image-export';
import { useDashboard, useDashboards, useEditedDefinition } from '../../definitions/definition-queries';
import { useHasRole } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { EmptyState } from '../../ui/page-states';
import { Page } from '../../ui/page';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { DashboardEditor } from './dashboard-editor';
import type { Schemas } from '../../api/api-client';
import { ChartPanel } from '../../charts/chart-panel';
import { useCharts } from '../../charts/chart-hooks';
import { type ChartPosition, sortInReadingOrder } from './dashboard-layout';
import styles from './dashboards.module.css';
import { ConfirmChangeDialog } from '../../definitions/edit-conflict-dialogs';
import { readDashboard } from '../../definitions/definition-requests';
import { useDashboardMutations } from './use-dashboard-mutations';

/** One dashboard over the view; Members arrange those that are not of a service. */
export default function DashboardPage() {
  const { dashboardId = '' } = useParams();
  const { pathname } = useLocation();
  const [parameters, change] = useUrlParameters();
  const dashboard = useDashboard(dashboardId);
  const isBuiltIn = useDashboards().data?.dashboards.find(({ id }) => id === dashboardId)?.builtIn;
  const mayEdit = useHasRole('Member') && isBuiltIn === false;
  const isEditing = mayEdit && parameters.get('edit') === '1';
  const links = usePageLinks();
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
        !isEditing && (
          <DashboardActions id={dashboardId} title={title} mayEdit={mayEdit} onEdit={() => change({ edit: '1' })} />
        )
      }
    >
      <QueryBoundary query={dashboard} skeleton={<DashboardSkeleton />}>
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
            <DashboardCharts title={data.title} charts={data.charts} />
          );
        }}
      </QueryBoundary>
    </Page>
  );
}

interface DashboardActionsProps {
  readonly id: string;
  readonly title: string;
  readonly mayEdit: boolean;
  readonly onEdit: () => void;
}

function DashboardActions({ id, title, mayEdit, onEdit }: DashboardActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <ImageExportButton kind="dashboards" id={id} title={title} isWide />
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
      {isDeleting && <DeleteDashboardDialog id={id} title={title} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DashboardSkeleton() {
  return (
    <div className="grid">
      {[1, 2, 3, 4].map((each) => (
        <Skeleton key={each} height="14rem" />
      ))}
    </div>
  );
}

const ROW_HEIGHT = 60;
const ROW_GAP = 12;

/** Head and frame of a panel. */
const PANEL_CHROME_HEIGHT = 54;

const computeChartHeight = ({ height }: ChartPosition): number =>
  Math.max(90, height * (ROW_HEIGHT + ROW_GAP) - ROW_GAP - PANEL_CHROME_HEIGHT);

const toCellStyle = ({ row, col, width, height }: ChartPosition): CSSProperties =>
  ({
    '--col': String(col + 1),
    '--row': String(row + 1),
    '--width': String(width),
    '--height': String(height),
  }) as CSSProperties;

/** The charts in their places; one below the other where the page is narrow. On the dashboard of a service no chart has to say again whose it is. */
export function DashboardCharts({ title: board, charts }: Pick<Schemas['Dashboard'], 'title' | 'charts'>) {
  const known = useCharts();
  return (
    <div className={styles.board}>
      {sortInReadingOrder(charts).map(({ chartId, title, chartType, position }) => {
        const about = known.data?.charts.find(({ id }) => id === chartId);
        return (
          <div key={chartId} className={styles.cell} style={toCellStyle(position)}>
            <ChartPanel
              chartId={chartId}
              title={title.startsWith(`${board} · `) ? title.slice(board.length + 3) : title}
              kind={chartType}
              about={about}
              height={computeChartHeight(position)}
              tools={about && <ChartLinks chart={about} />}
            />
          </div>
        );
      })}
    </div>
  );
}

/** From a chart to what it is about, and to the place where a Member changes it. */
function ChartLinks({
  chart: { id, title, metric, serviceName, builtIn },
}: {
  readonly chart: Schemas['ListedChart'];
}) {
  const links = usePageLinks();
  const mayEdit = useHasRole('Member') && !builtIn;
  return (
    <>
      {serviceName !== '' && (
        <Link
          className={controls.icon}
          to={links.service(serviceName)}
          aria-label={`To ${serviceName}, from ${title}`}
          title={`To ${serviceName}`}
        >
          <Server size={15} aria-hidden />
        </Link>
      )}
      {mayEdit && (
        <Link
          className={controls.icon}
          to={links.page('metrics', { metric, chart: id, change: '1' })}
          aria-label={`Change ${title}`}
          title="Change this chart"
        >
          <Pencil size={15} aria-hidden />
        </Link>
      )}
    </>
  );
}

export function DeleteDashboardDialog({
  id,
  title,
  onClose,
}: {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}) {
  const { query } = useEditedDefinition('dashboards', id, readDashboard);
  const { remove } = useDashboardMutations();
  const navigate = useNavigate();
  const links = usePageLinks();
  const change = {
    ...remove,
    mutate: (etag: string) => remove.mutate({ id, etag }, { onSuccess: () => void navigate(links.page('dashboards')) }),
  };
  return (
    <ConfirmChangeDialog title="Delete this dashboard?" action="Delete" read={query} change={change} onClose={onClose}>
      “{query.data?.record.title ?? title}” will be gone for everybody. Its charts stay.
    </ConfirmChangeDialog>
  );
}
