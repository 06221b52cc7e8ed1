import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answerOf, api } from '../../api/client';
import { gridPath } from '../../app/paths';
import { useCharts } from '../../diagnostics/use-chart-data';
import { useGrid } from '../../session/use-session';
import { useTimeQuery } from '../../time/use-view';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import list from '../../diagnostics/diagnostics.module.css';
import styles from './service.module.css';

/** Dashboards that show a chart of the service. */
export function DashboardsCard({ name }: { readonly name: string }) {
  const { gridSecondaryId } = useGrid();
  const time = useTimeQuery();
  const charts = useCharts();
  const dashboards = useQuery({
    queryKey: ['dashboards', gridSecondaryId],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/apm/dashboards/{gridSecondaryId}/dashboards', { params: { path: { gridSecondaryId } }, signal }),
      ),
  });
  const own = new Set(charts.data?.charts.filter(({ serviceName }) => serviceName === name).map(({ id }) => id));
  return (
    <Card title="Dashboards" className={styles.late}>
      <QueryState query={dashboards}>
        {(data) => {
          const shown = data.dashboards.filter((dashboard) => dashboard.charts.some(({ chartId }) => own.has(chartId)));
          return shown.length === 0 ? (
            <p className={list.quiet}>None shows this service.</p>
          ) : (
            <ul className={list.list}>
              {shown.map(({ id, title }) => (
                <li key={id}>
                  <Link to={`${gridPath(gridSecondaryId, 'dashboards')}/${encodeURIComponent(id)}${time}`}>
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryState>
    </Card>
  );
}
