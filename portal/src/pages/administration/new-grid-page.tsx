import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { unwrapResponse, api } from '../../api/api-client';
import { gridPagePath } from '../../app/page-links';
import { FormField, toFormErrors } from '../../ui/form-field';
import { forgetSession } from '../../session/session-store';
import { Page } from '../../ui/page';
import controls from '../../ui/controls.module.css';
import styles from './new-grid-page.module.css';

/** Creates a Grid, whose Owner one becomes, and leads to its first steps. */
export default function NewGridPage() {
  const [name, setName] = useState('');
  const create = useCreateGrid();
  const faults = toFormErrors(create.error, ['name']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(name.trim());
  };
  return (
    <main className={styles.page}>
      <Page
        title="New Grid"
        lead="A Grid holds the telemetry of one system, with its own members, keys and limits. You become its Owner."
      >
        <form className={styles.form} onSubmit={submit}>
          <FormField label="Name" hint="Such as shop production" fault={faults.forField('name')}>
            {(told) => (
              <input
                {...told}
                className={controls.input}
                required
                autoComplete="off"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </FormField>
          {faults.general !== undefined && (
            <p className={controls.fault} role="alert">
              {faults.general}
            </p>
          )}
          <div className={controls.row}>
            <button type="submit" className={controls.primary} disabled={create.isPending}>
              Create Grid
            </button>
            <Link to="/" className={controls.button}>
              Back
            </Link>
          </div>
        </form>
      </Page>
    </main>
  );
}

function useCreateGrid() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (name: string) => unwrapResponse(api.POST('/admin/grids', { body: { name } })),
    onSuccess: async ({ gridSecondaryId }) => {
      // The Grid is known to the portal only once the session tells of it.
      forgetSession();
      await queries.invalidateQueries({ queryKey: ['session'] });
      await navigate(`${gridPagePath(gridSecondaryId, 'administration')}?tab=instrument`);
    },
  });
}
