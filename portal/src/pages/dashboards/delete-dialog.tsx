import { useNavigate } from 'react-router';
import { useLinks } from '../../app/use-links';
import { Dialog } from '../../ui/dialog';
import controls from '../../ui/controls.module.css';
import { useDashboardChanges } from './use-dashboard-changes';

export function DeleteDialog({ id, title, onClose }: { readonly id: string; readonly title: string; readonly onClose: () => void }) {
  const { remove } = useDashboardChanges();
  const navigate = useNavigate();
  const links = useLinks();
  return (
    <Dialog title="Delete this dashboard?" onClose={onClose}>
      <div className="stack">
        <p>“{title}” will be gone for everybody. Its charts stay.</p>
        {remove.error !== null && <p className={controls.fault} role="alert">{remove.error.message}</p>}
        <div className={controls.row}>
          <button type="button" className={controls.danger} disabled={remove.isPending} onClick={() => remove.mutate(id, { onSuccess: () => void navigate(links.page('dashboards')) })}>Delete</button>
          <button type="button" className={controls.button} onClick={onClose}>Keep</button>
        </div>
      </div>
    </Dialog>
  );
}
