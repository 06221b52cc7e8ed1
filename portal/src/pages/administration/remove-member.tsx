import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import controls from '../../ui/controls.module.css';
import { memberFault, useRemoveMember } from './use-members';

export function RemoveMember({ userId }: { readonly userId: string }) {
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending, error } = useRemoveMember(userId, () => setAsked(false));
  return (
    <>
      <button type="button" className={controls.danger} aria-label={`Remove ${userId}`} onClick={() => setAsked(true)}>
        Remove
      </button>
      {isAsked && (
        <ConfirmDialog
          title={`Remove ${userId}?`}
          action="Remove"
          mutation={{ mutate, isPending, error: error === null ? null : new Error(memberFault(error)) }}
          onClose={() => setAsked(false)}
        >
          They cannot open this Grid any more, from their next request on. What they made stays.
        </ConfirmDialog>
      )}
    </>
  );
}
