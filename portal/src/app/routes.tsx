import { createBrowserRouter, Navigate, Outlet } from 'react-router';
import { SignedOutError } from '../session/session-store';
import { useSession } from '../session/use-session';
import { ErrorState, RouteErrorPage } from '../ui/page-states';
import { PageSkeleton } from '../ui/skeleton';
import { GridShell } from './grid-shell';
import { HomePage } from './home-page';
import { SignInPage } from './sign-in-page';

/** Loads the code of a page on first navigation, which keeps the initial bundle small. */
const lazyPage = (load: () => Promise<{ default: React.ComponentType }>) => async () => ({
  Component: (await load()).default,
});

export const router = createBrowserRouter(
  [
    {
      path: '/',
      element: <SessionGate />,
      errorElement: <RouteErrorPage />,
      hydrateFallbackElement: <PageSkeleton />,
      children: [
        { index: true, element: <HomePage /> },
        { path: 'new-grid', lazy: lazyPage(() => import('../pages/administration/new-grid-page')) },
        {
          path: 'g/:gridId',
          element: <GridShell />,
          errorElement: <RouteErrorPage />,
          children: [
            {
              // A page that fails leaves the navigation usable.
              errorElement: <RouteErrorPage />,
              children: [
                { index: true, element: <Navigate to="overview" replace /> },
                { path: 'overview', lazy: lazyPage(() => import('../pages/overview/overview-page')) },
                { path: 'diagnosis', lazy: lazyPage(() => import('../pages/diagnosis/diagnosis-page')) },
                { path: 'map', lazy: lazyPage(() => import('../pages/map/service-map-page')) },
                { path: 'services/:service', lazy: lazyPage(() => import('../pages/service/service-page')) },
                { path: 'explore', lazy: lazyPage(() => import('../pages/explore/explore-page')) },
                { path: 'traces', lazy: lazyPage(() => import('../pages/traces/traces-page')) },
                { path: 'traces/:traceId', lazy: lazyPage(() => import('../pages/traces/trace-page')) },
                {
                  path: 'traces/:traceId/compare',
                  lazy: lazyPage(() => import('../pages/traces/trace-compare-page')),
                },
                { path: 'logs', lazy: lazyPage(() => import('../pages/logs/logs-page')) },
                { path: 'errors', lazy: lazyPage(() => import('../pages/errors/errors-page')) },
                { path: 'errors/:groupId', lazy: lazyPage(() => import('../pages/errors/error-page')) },
                { path: 'metrics', lazy: lazyPage(() => import('../pages/metrics/metrics-page')) },
                { path: 'dashboards', lazy: lazyPage(() => import('../pages/dashboards/dashboards-page')) },
                { path: 'dashboards/:dashboardId', lazy: lazyPage(() => import('../pages/dashboards/dashboard-page')) },
                { path: 'changes', lazy: lazyPage(() => import('../pages/changes/changes-page')) },
                { path: 'compare', lazy: lazyPage(() => import('../pages/compare/compare-page')) },
                { path: 'incidents', lazy: lazyPage(() => import('../pages/incidents/incidents-page')) },
                { path: 'incidents/:incidentId', lazy: lazyPage(() => import('../pages/incidents/incident-page')) },
                { path: 'alerts', lazy: lazyPage(() => import('../pages/alerts/alerts-page')) },
                { path: 'objectives', lazy: lazyPage(() => import('../pages/objectives/objectives-page')) },
                { path: 'objectives/:sloId', lazy: lazyPage(() => import('../pages/objectives/objective-page')) },
                {
                  path: 'notifications',
                  lazy: lazyPage(() => import('../pages/notifications/notifications-page')),
                },
                { path: 'assistant', lazy: lazyPage(() => import('../pages/assistant/assistant-page')) },
                { path: 'usage', lazy: lazyPage(() => import('../pages/usage/usage-page')) },
                { path: 'administration', lazy: lazyPage(() => import('../pages/administration/administration-page')) },
              ],
            },
          ],
        },
        { path: '*', element: <RouteErrorPage notFound /> },
      ],
    },
  ],
  { basename: '/portal' },
);

/** Renders nothing but the sign-in page until the session is known. */
function SessionGate() {
  const { data, error, refetch } = useSession();
  if (error instanceof SignedOutError) return <SignInPage signInOptions={error.signInOptions} />;
  // With a session, pages show errors themselves.
  if (error !== null && data === undefined) return <ErrorState error={error} retry={() => void refetch()} />;
  return data === undefined ? <PageSkeleton /> : <Outlet />;
}
