import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { resetSessionAndQueries, queryClient } from './app/query-client';
import { router } from './app/routes';
import './styles/tokens.css';
import './styles/base.css';

// A page restored from the back/forward cache may belong to a user who has signed out since.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) resetSessionAndQueries();
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
