import { LogOut } from 'lucide-react';
import { useGrid, useSession } from '../session/use-session';
import controls from '../ui/controls.module.css';

export function UserMenu() {
  const { data } = useSession();
  const { role } = useGrid();
  return (
    <form method="post" action="/portal/sign-out">
      <button
        type="submit"
        className={controls.icon}
        aria-label={`Sign out ${data?.user.name ?? ''}`}
        title={`${data?.user.name ?? ''}, ${role}: sign out`}
      >
        <LogOut size={17} aria-hidden />
      </button>
    </form>
  );
}
