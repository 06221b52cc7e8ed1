import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WithEtag } from '../api/api-client';
import { ConfirmDialog } from '../ui/dialog';
import { conflictingVersion, EditConflictError } from './edit-conflict';
import controls from '../ui/controls.module.css';

interface ConfirmChangeDialogProps {
  readonly title: string;
  /** Label of the confirming button. */
  readonly action: string;
  /** The definition to change, which may still be loading. */
  readonly read: { readonly data: WithEtag<unknown> | undefined; readonly error: Error | null };
  /** The change, bound to the version with the given ETag. */
  readonly change: Pick<UseMutationResult<unknown, Error, string>, 'isPending' | 'error'> & {
    readonly mutate: (etag: string) => void;
  };
  readonly onClose: () => void;
  /** Consequences of the change. */
  readonly children: ReactNode;
}

/** Asks for confirmation of a change that cannot be undone, and again if another user has changed the definition in the meantime. */
export function ConfirmChangeDialog({
  title,
  action,
  read,
  change: { mutate, isPending, error },
  onClose,
  children,
}: ConfirmChangeDialogProps) {
  const theirs = conflictingVersion(error);
  return (
    <ConfirmDialog
      title={title}
      action={action}
      onClose={onClose}
      mutation={{
        mutate: () => {
          if (read.data !== undefined) mutate(read.data.etag);
        },
        isPending: isPending || read.data === undefined,
        error: error ?? read.error,
      }}
      insist={theirs && { action: `${action} anyway`, mutate: () => mutate(theirs.etag) }}
    >
      {children}
    </ConfirmDialog>
  );
}

interface EditConflictActionsProps<Data> {
  /** Error of the save. Nothing is rendered unless it is an edit conflict. */
  readonly error: Error | null;
  /** Saves over the other user's version; conflicts again if it has changed since. */
  readonly onOverwrite: (theirs: WithEtag<Data>) => void;
  readonly onTake: (theirs: WithEtag<Data>) => void;
}

/** Choices after an edit conflict. The form shows the error message itself. */
export function EditConflictActions<Data>({ error, onOverwrite, onTake }: EditConflictActionsProps<Data>) {
  if (!(error instanceof EditConflictError)) return null;
  const { theirs } = error as EditConflictError<Data>;
  return (
    <>
      <button type="button" className={controls.danger} onClick={() => onOverwrite(theirs)}>
        Overwrite with my changes
      </button>
      <button type="button" className={controls.button} onClick={() => onTake(theirs)}>
        Discard my changes
      </button>
    </>
  );
}
