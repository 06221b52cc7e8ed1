import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { Card } from '../../ui/card';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Status } from '../../ui/status';
import controls from '../../ui/controls.module.css';
import { useChangeSettings } from './use-settings';

/** Switches all of the Grid off, and on again. */
export function Subscription({ grid: { name, subscriptionActive } }: { readonly grid: Schemas['Grid'] }) {
  const [isAsked, setAsked] = useState(false);
  const change = useChangeSettings();
  const set = (isActive: boolean): void => change.mutate({ subscriptionActive: isActive }, { onSuccess: () => setAsked(false) });
  return (
    <Card title="Subscription" aside={<Status level={subscriptionActive ? 'good' : 'critical'}>{subscriptionActive ? 'Active' : 'Inactive'}</Status>}>
      <div className="stack">
        <p>{subscriptionActive ? 'While it is inactive nothing of the Grid can be read, and what applications send is refused and lost.' : 'Nothing of the Grid can be read now, and what applications send is refused and lost. Its data are kept.'}</p>
        <div className={controls.row}>
          {subscriptionActive
            ? <button type="button" className={controls.danger} onClick={() => setAsked(true)}>Switch off …</button>
            : <button type="button" className={controls.primary} disabled={change.isPending} onClick={() => set(true)}>Switch on</button>}
        </div>
        {!isAsked && change.error !== null && <p className={controls.fault} role="alert">{change.error.message}</p>}
      </div>
      {isAsked && (
        <ConfirmDialog title={`Switch off ${name}?`} action="Switch off" mutation={{ mutate: () => set(false), isPending: change.isPending, error: change.error }} onClose={() => setAsked(false)}>
          Every page of this Grid but these settings will be refused, for all members. Telemetry sent meanwhile is lost: senders do not repeat it. You can switch it on again here.
        </ConfirmDialog>
      )}
    </Card>
  );
}
