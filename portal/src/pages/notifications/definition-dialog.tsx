import { type FormEvent, type ReactNode, useState } from 'react';
import { useEditedDefinition } from '../../definitions/definition-queries';
import { ConfirmChangeDialog, EditConflictActions } from '../../definitions/edit-conflict-dialogs';
import { Dialog } from '../../ui/dialog';
import { type FormErrors, GeneralError, toFormErrors } from '../../ui/form-field';
import { QueryBoundary } from '../../ui/query-boundaries';
import { type DefinitionKind, useDefinitionMutations } from './notification-definitions';
import controls from '../../ui/controls.module.css';
import styles from './notifications.module.css';

/** How a definition is edited: as a draft, in which everything may be incomplete. */
export interface DefinitionForm<Stored, Model, Draft> {
  readonly kind: DefinitionKind<Stored, Model>;
  /** Fields of the body that the form has. */
  readonly fields: readonly string[];
  readonly toDraft: (stored: Stored) => Draft;
  readonly toBody: (draft: Draft) => Model;
  readonly Fields: (props: FieldsProps<Draft>) => ReactNode;
}

export interface FieldsProps<Draft> {
  readonly draft: Draft;
  readonly errors: FormErrors;
  /** The definition exists already. */
  readonly isExisting: boolean;
  readonly onChange: (part: Partial<Draft>) => void;
}

interface DefinitionDialogProps<Stored, Model, Draft> {
  readonly form: DefinitionForm<Stored, Model, Draft>;
  readonly title: string;
  readonly onClose: () => void;
}

/** Creates a definition. */
export function NewDefinitionDialog<Stored, Model, Draft>({
  form,
  title,
  initial,
  onClose,
}: DefinitionDialogProps<Stored, Model, Draft> & { readonly initial: Draft }) {
  const { create } = useDefinitionMutations(form.kind);
  return (
    <Dialog title={title} onClose={onClose}>
      <DraftForm
        form={form}
        initial={initial}
        isExisting={false}
        save={{
          mutate: (body) => create.mutate(body, { onSuccess: onClose }),
          isPending: create.isPending,
          error: create.error,
        }}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** Changes a definition as it is when the dialog opens. */
export function EditDefinitionDialog<Stored, Model, Draft>({
  form,
  title,
  id,
  onClose,
}: DefinitionDialogProps<Stored, Model, Draft> & { readonly id: string }) {
  const { query, take } = useEditedDefinition(form.kind.name, id, (grid, each) => form.kind.read(grid, each));
  const { replace } = useDefinitionMutations(form.kind);
  const save = (body: Model, etag: string): void => replace.mutate({ id, body, etag }, { onSuccess: onClose });
  return (
    <Dialog title={title} onClose={onClose}>
      <QueryBoundary query={query}>
        {(read) => (
          <DraftForm
            key={query.dataUpdatedAt}
            form={form}
            initial={form.toDraft(read.record)}
            isExisting
            save={{
              mutate: (body) => save(body, read.etag),
              isPending: replace.isPending,
              error: replace.error,
            }}
            conflict={(body) => (
              <EditConflictActions<Stored>
                error={replace.error}
                onOverwrite={({ etag }) => save(body, etag)}
                onTake={(theirs) => {
                  replace.reset();
                  take(theirs);
                }}
              />
            )}
            onClose={onClose}
          />
        )}
      </QueryBoundary>
    </Dialog>
  );
}

interface DraftFormProps<Stored, Model, Draft> {
  readonly form: DefinitionForm<Stored, Model, Draft>;
  readonly initial: Draft;
  readonly isExisting: boolean;
  readonly save: { readonly mutate: (body: Model) => void; readonly isPending: boolean; readonly error: Error | null };
  readonly conflict?: (body: Model) => ReactNode;
  readonly onClose: () => void;
}

function DraftForm<Stored, Model, Draft>({
  form: { fields, toBody, Fields },
  initial,
  isExisting,
  save,
  conflict,
  onClose,
}: DraftFormProps<Stored, Model, Draft>) {
  const [draft, setDraft] = useState(initial);
  const errors = toFormErrors(save.error, fields);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(toBody(draft));
  };
  return (
    <form className="stack" onSubmit={handleSubmit} noValidate>
      <div className={styles.form}>
        <Fields
          draft={draft}
          errors={errors}
          isExisting={isExisting}
          onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
        />
      </div>
      <GeneralError errors={errors} />
      <div className={controls.row}>
        <button type="submit" className={controls.primary} disabled={save.isPending}>
          {isExisting ? 'Save' : 'Create'}
        </button>
        {conflict?.(toBody(draft))}
        <button type="button" className={controls.button} onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface DeleteDefinitionButtonProps<Stored, Model> {
  readonly kind: DefinitionKind<Stored, Model>;
  readonly id: string;
  /** How users know it. */
  readonly name: string;
  /** Label of the button. */
  readonly action?: string;
  /** Called once it is deleted. */
  readonly onDeleted?: () => void;
  /** What follows. */
  readonly children: ReactNode;
}

/** Deletes a definition after a confirmation. */
export function DeleteDefinitionButton<Stored, Model>(props: DeleteDefinitionButtonProps<Stored, Model>) {
  const { name, action = 'Delete' } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={controls.danger} aria-label={`${action} ${name}`} onClick={() => setOpen(true)}>
        {action}
      </button>
      {isOpen && <DeleteDefinitionDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function DeleteDefinitionDialog<Stored, Model>({
  kind,
  id,
  name,
  action = 'Delete',
  onDeleted,
  onClose,
  children,
}: DeleteDefinitionButtonProps<Stored, Model> & { readonly onClose: () => void }) {
  const { query } = useEditedDefinition<Stored>(kind.name, id, (grid, each) => kind.read(grid, each));
  const { remove } = useDefinitionMutations(kind);
  return (
    <ConfirmChangeDialog
      title={`${action} ${name}?`}
      action={action}
      read={{ data: query.data, error: query.error }}
      change={{ ...remove, mutate: (etag) => remove.mutate({ id, etag }, { onSuccess: onDeleted ?? onClose }) }}
      onClose={onClose}
    >
      {children}
    </ConfirmChangeDialog>
  );
}
