import { LayoutGrid, Pencil, Server, Telescope, Trash2 } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { isAnsweredElsewhere } from '../../../../src/diagnostics/chart-model.js';
import type { Schemas } from '../../api/api-client';
import { hasStatus } from '../../api/api-error';
import { usePageLinks } from '../../app/page-links';
import { useCharts } from '../../charts/chart-hooks';
import { ImageExportButton } from '../../charts/chart-image-export';
import { ChartPanel } from '../../charts/chart-panel';
import { useDashboard, useDashboards, useEditedDefinition } from '../../definitions/definition-queries';
import { readDashboard } from '../../definitions/definition-requests';
import { ConfirmChangeDialog } from '../../definitions/edit-conflict-dialogs';
import { useHasRole } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { DashboardEditor } from './dashboard-editor';
import { DashboardVariables, useVariableFilter, type VariableFilter } from './dashboard-variables';
import { type ChartPosition, sortInReadingOrder } from './dashboard-layout';
import { useDashboardMutations } from './use-dashboard-mutations';
import { addCondition } from '../explore/condition-writer';
import { openChartQuery, toExploreParameters } from '../explore/explore-query';
import controls from '../../ui/controls.module.css';
import styles from './dashboards.module.css';

/** A dashboard over the time view. Members can edit custom dashboards, but not the built-in ones of services. */
export default function DashboardPage() {
  const { dashboardId = '' } = useParams();
  const { pathname } = useLocation();
  const [parameters, change] = useUrlParameters();
  const dashboard = useDashboard(dashboardId);
  const isBuiltIn = useDashboards().data?.dashboards.find(({ id }) => id === dashboardId)?.builtIn;
  const mayEdit = useHasRole('Member') && isBuiltIn === false;
  const isEditing = mayEdit && parameters.get('edit') === '1';
  const links = usePageLinks();
  const filter = useVariableFilter(dashboard.data?.variables ?? []);
  if (hasStatus(dashboard.error, 404))
    return (
      <Page title="Dashboard">
        <EmptyState title="Dashboard not found">
          It may have been deleted. <Link to={links.page('dashboards')}>All dashboards</Link>
        </EmptyState>
      </Page>
    );
  const { title = 'Dashboard', variables = [] } = dashboard.data ?? {};
  return (
    <Page
      title={title}
      lead={dashboard.data?.description}
      actions={
        !isEditing && (
          <DashboardActions
            id={dashboardId}
            title={title}
            filter={filter.where}
            mayEdit={mayEdit}
            onEdit={() => change({ edit: '1' })}
          />
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
                isInEditor={(next) =>
                  next.pathname === pathname && new URLSearchParams(next.search).get('edit') === '1'
                }
                onDone={() => change({ edit: undefined })}
              />
            );
          return data.charts.length === 0 ? (
            <EmptyState title="No charts yet">
              {' '}
              {mayEdit ? 'Choose Edit to add charts.' : 'Members can add charts.'}
            </EmptyState>
          ) : (
            <>
              <DashboardVariables variables={variables} />
              <DashboardCharts title={data.title} charts={data.charts} filter={filter} />
            </>
          );
        }}
      </QueryBoundary>
    </Page>
  );
}

interface DashboardActionsProps {
  readonly id: string;
  readonly title: string;
  readonly filter: string;
  readonly mayEdit: boolean;
  readonly onEdit: () => void;
}

function DashboardActions({ id, title, filter, mayEdit, onEdit }: DashboardActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <ImageExportButton kind="dashboards" id={id} title={title} filter={filter} isWide />
      {mayEdit && (
        <button type="button" className={controls.button} onClick={onEdit}>
          <LayoutGrid size={15} aria-hidden /> Edit{' '}
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

/** Height (px) of the header and padding of a panel. */
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

const NO_FILTER: VariableFilter = { where: '', service: '' };

/**
 * The charts at their positions, or in one column on narrow pages. Chart titles on a service's dashboard omit the
 * service's name. `filter`: condition that narrows all charts.
 */
export function DashboardCharts({
  title: dashboardTitle,
  charts,
  filter = NO_FILTER,
}: Pick<Schemas['Dashboard'], 'title' | 'charts'> & { readonly filter?: VariableFilter }) {
  const known = useCharts();
  return (
    <div className={styles.board}>
      {sortInReadingOrder(charts).map(({ chartId, title, chartType, position }) => {
        const chart = known.data?.charts.find(({ id }) => id === chartId);
        const about = chart && { ...chart, serviceName: chart.serviceName || filter.service };
        return (
          <div key={chartId} className={styles.cell} style={toCellStyle(position)}>
            <ChartPanel
              chartId={chartId}
              title={title.startsWith(`${dashboardTitle} · `) ? title.slice(dashboardTitle.length + 3) : title}
              kind={chartType}
              about={about}
              filter={filter.where}
              height={computeChartHeight(position)}
              tools={about && <ChartLinks chart={about} filter={filter.where} />}
            />
          </div>
        );
      })}
    </div>
  );
}

function narrowQuery(query: Schemas['ChartQuery'], filter: string): Schemas['ChartQuery'] {
  return filter === '' ? query : { ...query, where: addCondition(query.where, filter) };
}

/** Links to the service of a chart, or its query, and, for Members, to its editor. */
function ChartLinks({
  chart: { id, title, chartType, metric, serviceName, builtIn, query },
  filter,
}: {
  readonly chart: Schemas['ListedChart'];
  /** Condition that narrows the chart; "": none. */
  readonly filter: string;
}) {
  const links = usePageLinks();
  // The query of a chart is changed where it is asked: on the Explore page. Charts of objectives have nothing to change.
  const mayEdit = useHasRole('Member') && !builtIn && !isAnsweredElsewhere(metric, query !== undefined);
  return (
    <>
      {serviceName !== '' && (
        <Link
          className={controls.icon}
          to={links.service(serviceName)}
          aria-label={`Open service ${serviceName} from ${title}`}
          title={`Open service ${serviceName}`}
        >
          <Server size={15} aria-hidden />
        </Link>
      )}
      {query !== undefined && (
        <Link
          className={controls.icon}
          to={links.page('explore', toExploreParameters(openChartQuery(narrowQuery(query, filter), chartType)))}
          aria-label={`Explore ${title}`}
          title="Open in Explore"
        >
          <Telescope size={15} aria-hidden />
        </Link>
      )}
      {mayEdit && (
        <Link
          className={controls.icon}
          to={links.page('metrics', { metric, chart: id, change: '1' })}
          aria-label={`Edit ${title}`}
          title="Edit chart"
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
      “{query.data?.record.title ?? title}” is deleted for all members. Its charts are kept.
    </ConfirmChangeDialog>
  );
}
