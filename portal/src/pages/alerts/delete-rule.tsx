import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { Dialog } from '../../ui/dialog';
import controls from '../../ui/controls.module.css';
import { useRuleChanges } from './use-rule-changes';

export function DeleteRule({ rule: { id, name }, onDone }: { readonly rule: Schemas['AlertRule']; readonly onDone: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const { remove } = useRuleChanges();
  return (
    <>
      <button type="button" className={controls.danger} onClick={() => setAsking(true)}><Trash2 size={15} aria-hidden /> Delete</button>
      {isAsking && (
        <Dialog title="Delete this rule?" onClose={() => setAsking(false)}>
          <div className="stack">
            <p>“{name}” stops watching, and its open alerts are resolved at once.</p>
            {remove.error !== null && <p className={controls.fault} role="alert">{remove.error.message}</p>}
            <div className={controls.row}>
              <button type="button" className={controls.danger} disabled={remove.isPending} onClick={() => remove.mutate(id, { onSuccess: onDone })}>Delete</button>
              <button type="button" className={controls.button} onClick={() => setAsking(false)}>Keep</button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
