import { createBrowserRouter, Navigate } from 'react-router';
import { Failure } from '../ui/failure';
import { PageSkeleton } from '../ui/skeleton';
import { GridShell } from './grid-shell';
import { Home } from './home';
import { Root } from './root';

/** A page is loaded when somebody goes there: the first view stays small. */
const page = (load: () => Promise<{ default: React.ComponentType }>) => async () => ({
  Component: (await load()).default,
});

export const router = createBrowserRouter(
  [
    {
      path: '/',
      element: <Root />,
      errorElement: <Failure />,
      hydrateFallbackElement: <PageSkeleton />,
      children: [
        { index: true, element: <Home /> },
        { path: 'new-grid', lazy: page(() => import('../pages/administration/new-grid')) },
        {
          path: 'g/:gridId',
          element: <GridShell />,
          errorElement: <Failure />,
          children: [
            {
              // A page that breaks leaves the way to the others.
              errorElement: <Failure />,
              children: [
                { index: true, element: <Navigate to="overview" replace /> },
                { path: 'overview', lazy: page(() => import('../pages/overview/overview')) },
                { path: 'diagnosis', lazy: page(() => import('../pages/diagnosis/diagnosis')) },
                { path: 'map', lazy: page(() => import('../pages/map/map')) },
                { path: 'services/:service', lazy: page(() => import('../pages/service/service')) },
                { path: 'traces', lazy: page(() => import('../pages/traces/traces')) },
                { path: 'traces/:traceId', lazy: page(() => import('../pages/traces/trace')) },
                { path: 'logs', lazy: page(() => import('../pages/logs/logs')) },
                { path: 'metrics', lazy: page(() => import('../pages/metrics/metrics')) },
                { path: 'dashboards', lazy: page(() => import('../pages/dashboards/dashboards')) },
                { path: 'dashboards/:dashboardId', lazy: page(() => import('../pages/dashboards/dashboard')) },
                { path: 'changes', lazy: page(() => import('../pages/changes/changes')) },
                { path: 'compare', lazy: page(() => import('../pages/compare/compare')) },
                { path: 'alerts', lazy: page(() => import('../pages/alerts/alerts')) },
                { path: 'assistant', lazy: page(() => import('../pages/assistant/assistant')) },
                { path: 'usage', lazy: page(() => import('../pages/usage/usage')) },
                { path: 'administration', lazy: page(() => import('../pages/administration/administration')) },
              ],
            },
          ],
        },
        { path: '*', element: <Failure notFound /> },
      ],
    },
  ],
  { basename: '/portal' },
);
