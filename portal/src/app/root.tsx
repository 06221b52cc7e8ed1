import { Outlet } from 'react-router';
import { SignedOut } from '../session/token';
import { useSession } from '../session/use-session';
import { ErrorState } from '../ui/error-state';
import { PageSkeleton } from '../ui/skeleton';
import { SignIn } from './sign-in';

/** Nothing is shown before it is known who looks. */
export function Root() {
  const { data, error, refetch } = useSession();
  if (error instanceof SignedOut) return <SignIn offered={error.offered} />;
  // With a session at hand, pages tell of faults themselves.
  if (error !== null && data === undefined) return <ErrorState error={error} retry={() => void refetch()} />;
  return data === undefined ? <PageSkeleton /> : <Outlet />;
}
