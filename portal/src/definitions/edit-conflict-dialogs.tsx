import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WithEtag } from '../api/api-client';
import { ConfirmDialog } from '../ui/dialog';
import { conflictingVersion, EditConflictError } from './edit-conflict';
import controls from '../ui/controls.module.css';

interface ConfirmChangeDialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly action: string;
  /** What it is about, which may still be on its way. */
  readonly read: { readonly data: WithEtag<unknown> | undefined; readonly error: Error | null };
  /** Done to what has the tag that it is given, and to nothing else. */
  readonly change: Pick<UseMutationResult<unknown, Error, string>, 'isPending' | 'error'> & {
    readonly mutate: (etag: string) => void;
  };
  readonly onClose: () => void;
  /** What will happen, and to whom. */
  readonly children: ReactNode;
}

/** Asks before something that cannot be taken back, and once more where somebody else has changed what it is about. */
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
      insist={theirs && { action: `${action} all the same`, mutate: () => mutate(theirs.etag) }}
    >
      {children}
    </ConfirmDialog>
  );
}

interface EditConflictActionsProps<Data> {
  /** Of the save; nothing is to be chosen unless it is that of somebody who came first. */
  readonly error: Error | null;
  /** Bound to theirs: whoever saves after them is heard again. */
  readonly onOverwrite: (theirs: WithEtag<Data>) => void;
  readonly onTake: (theirs: WithEtag<Data>) => void;
}

/** What to do where somebody else has saved first. That it is so is told by the fault of the form. */
export function EditConflictActions<Data>({ error, onOverwrite, onTake }: EditConflictActionsProps<Data>) {
  if (!(error instanceof EditConflictError)) return null;
  const { theirs } = error as EditConflictError<Data>;
  return (
    <>
      <button type="button" className={controls.danger} onClick={() => onOverwrite(theirs)}>
        Save mine over theirs
      </button>
      <button type="button" className={controls.button} onClick={() => onTake(theirs)}>
        Take theirs, lose mine
      </button>
    </>
  );
}
