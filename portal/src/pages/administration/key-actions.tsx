import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import controls from '../../ui/controls.module.css';
import { useRegenerateKey, useRevokeKey } from './use-keys';

interface KeyActionsProps {
  readonly apiKey: Schemas['ApiKey'];
  readonly onIssued: (key: Schemas['IssuedApiKey']) => void;
}

export function KeyActions({ apiKey, onIssued }: KeyActionsProps) {
  const [asked, setAsked] = useState<'regenerate' | 'revoke'>();
  const close = (): void => setAsked(undefined);
  return (
    <div className={controls.row}>
      <button
        type="button"
        className={controls.button}
        onClick={() => setAsked('regenerate')}
        aria-label={`Regenerate ${apiKey.name}`}
      >
        Regenerate
      </button>
      <button
        type="button"
        className={controls.danger}
        onClick={() => setAsked('revoke')}
        aria-label={`Revoke ${apiKey.name}`}
      >
        Revoke
      </button>
      {asked === 'regenerate' && <Regenerate apiKey={apiKey} onIssued={onIssued} onClose={close} />}
      {asked === 'revoke' && <Revoke apiKey={apiKey} onClose={close} />}
    </div>
  );
}

function Regenerate({
  apiKey: { keyId, name },
  onIssued,
  onClose,
}: KeyActionsProps & { readonly onClose: () => void }) {
  const regenerate = useRegenerateKey(keyId);
  const mutate = (): void =>
    regenerate.mutate(undefined, {
      onSuccess: (key) => {
        onClose();
        onIssued(key);
      },
    });
  return (
    <ConfirmDialog
      title={`Regenerate ${name}?`}
      action="Regenerate"
      mutation={{ mutate, isPending: regenerate.isPending, error: regenerate.error }}
      onClose={onClose}
    >
      The key gets a new secret. What still sends with the old one is refused at once.
    </ConfirmDialog>
  );
}

function Revoke({
  apiKey: { keyId, name },
  onClose,
}: {
  readonly apiKey: Schemas['ApiKey'];
  readonly onClose: () => void;
}) {
  return (
    <ConfirmDialog title={`Revoke ${name}?`} action="Revoke" mutation={useRevokeKey(keyId, onClose)} onClose={onClose}>
      What sends with this key is refused at once. A revoked key does not come back; its data stay.
    </ConfirmDialog>
  );
}
