import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Schemas, Tagged } from '../../api/client';
import { ConfirmChange } from '../../definitions/confirm-change';
import controls from '../../ui/controls.module.css';
import { useRuleChanges } from './use-rule-changes';

export function DeleteRule({
  read,
  onDone,
}: {
  readonly read: Tagged<Schemas['AlertRule']>;
  readonly onDone: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const { remove } = useRuleChanges();
  const { id, name } = read.record;
  const close = (): void => {
    remove.reset();
    setAsking(false);
  };
  return (
    <>
      <button type="button" className={controls.danger} onClick={() => setAsking(true)}>
        <Trash2 size={15} aria-hidden /> Delete
      </button>
      {isAsking && (
        <ConfirmChange
          title="Delete this rule?"
          action="Delete"
          read={{ data: read, error: null }}
          change={{ ...remove, mutate: (etag) => remove.mutate({ id, etag }, { onSuccess: onDone }) }}
          onClose={close}
        >
          “{name}” stops watching, and its open alerts are resolved at once.
        </ConfirmChange>
      )}
    </>
  );
}
