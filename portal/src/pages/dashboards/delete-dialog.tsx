import { useNavigate } from 'react-router';
import { useLinks } from '../../app/use-links';
import { ConfirmChange } from '../../definitions/confirm-change';
import { readDashboard } from '../../definitions/read-definition';
import { useDefinition } from '../../definitions/use-definition';
import { useDashboardChanges } from './use-dashboard-changes';

export function DeleteDialog({
  id,
  title,
  onClose,
}: {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}) {
  const { query } = useDefinition('dashboards', id, readDashboard);
  const { remove } = useDashboardChanges();
  const navigate = useNavigate();
  const links = useLinks();
  const change = {
    ...remove,
    mutate: (etag: string) => remove.mutate({ id, etag }, { onSuccess: () => void navigate(links.page('dashboards')) }),
  };
  return (
    <ConfirmChange title="Delete this dashboard?" action="Delete" read={query} change={change} onClose={onClose}>
      “{query.data?.record.title ?? title}” will be gone for everybody. Its charts stay.
    </ConfirmChange>
  );
}
