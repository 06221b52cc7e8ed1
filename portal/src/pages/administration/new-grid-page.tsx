import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { unwrapResponse, api } from '../../api/api-client';
import { gridPagePath } from '../../app/page-links';
import { forgetSession } from '../../session/session-store';
import { FormField, GeneralError, toFormErrors } from '../../ui/form-field';
import { Page } from '../../ui/page';
import controls from '../../ui/controls.module.css';
import styles from './new-grid-page.module.css';

/** Creates a Grid with the user as its Owner, then opens the instrumentation wizard. */
export default function NewGridPage() {
  const [name, setName] = useState('');
  const create = useCreateGrid();
  const errors = toFormErrors(create.error, ['name']);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(name.trim());
  };
  return (
    <main className={styles.page}>
      <Page
        title="New Grid"
        lead="A Grid holds the telemetry of one system, with its own members, keys and limits. You become its Owner."
      >
        <form className={styles.form} onSubmit={handleSubmit}>
          <FormField label="Name" hint="For example, shop production" error={errors.forField('name')}>
            {(controlProps) => (
              <input
                {...controlProps}
                className={controls.input}
                required
                autoComplete="off"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </FormField>
          <GeneralError errors={errors} />
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
      // The session lists the user's Grids, so it has to be reloaded first.
      forgetSession();
      await queries.invalidateQueries({ queryKey: ['session'] });
      await navigate(`${gridPagePath(gridSecondaryId, 'administration')}?tab=instrument`);
    },
  });
}
