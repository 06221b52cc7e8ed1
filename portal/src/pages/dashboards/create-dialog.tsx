import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { faultsOf } from '../../charts/faults';
import { useLinks } from '../../app/use-links';
import { Dialog } from '../../ui/dialog';
import { Field } from '../../ui/field';
import controls from '../../ui/controls.module.css';
import { useDashboardChanges } from './use-dashboard-changes';

/** A new dashboard begins empty and is arranged at once. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const { create } = useDashboardChanges();
  const navigate = useNavigate();
  const links = useLinks();
  const faults = faultsOf(create.error, ['title', 'description']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(
      { title, description, charts: [] },
      { onSuccess: ({ id }) => void navigate(links.page(`dashboards/${encodeURIComponent(id)}`, { edit: '1' })) },
    );
  };
  return (
    <Dialog title="New dashboard" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Title" fault={faults.of('title')}>
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={title}
              autoFocus
              required
              maxLength={200}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
        <Field label="What it is for (optional)" fault={faults.of('description')}>
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={description}
              maxLength={2_000}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
        {faults.general !== undefined && (
          <p className={controls.fault} role="alert">
            {faults.general}
          </p>
        )}
        <div className={controls.row}>
          <button type="submit" className={controls.primary} disabled={create.isPending}>
            Create and arrange
          </button>
          <button type="button" className={controls.button} onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
