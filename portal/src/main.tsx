import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { hasStatus } from './api/problem';
import { router } from './app/routes';
import './styles/tokens.css';
import './styles/base.css';

/** What the service refused for good is not asked again; the rest twice. */
const isWorthRetrying = (failures: number, error: Error): boolean => failures < 2 && !hasStatus(error, 400, 401, 402, 403, 404, 409);

const queries = new QueryClient({ defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 5_000, refetchOnWindowFocus: false } } });

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
