import { useState } from 'react';
import { theirsIn } from '../../definitions/changed-meanwhile';
import { ConfirmChange } from '../../definitions/confirm-change';
import { Card } from '../../ui/card';
import { Status } from '../../ui/status';
import controls from '../../ui/controls.module.css';
import type { SettingsProps } from './settings-form';
import { useChangeSettings } from './use-settings';

/** Switches all of the Grid off, and on again. */
export function Subscription({ read, onTake }: SettingsProps) {
  const { name, subscriptionActive } = read.record;
  const [isAsked, setAsked] = useState(false);
  const change = useChangeSettings(onTake);
  const set = (isActive: boolean, etag: string): void =>
    change.mutate({ body: { subscriptionActive: isActive }, etag }, { onSuccess: () => setAsked(false) });
  const theirs = isAsked ? undefined : theirsIn(change.error);
  const close = (): void => {
    change.reset();
    setAsked(false);
  };
  return (
    <Card
      title="Subscription"
      aside={
        <Status level={subscriptionActive ? 'good' : 'critical'}>{subscriptionActive ? 'Active' : 'Inactive'}</Status>
      }
    >
      <div className="stack">
        <p>
          {subscriptionActive
            ? 'While it is inactive nothing of the Grid can be read, and what applications send is refused and lost.'
            : 'Nothing of the Grid can be read now, and what applications send is refused and lost. Its data are kept.'}
        </p>
        <div className={controls.row}>
          {subscriptionActive ? (
            <button type="button" className={controls.danger} onClick={() => setAsked(true)}>
              Switch off …
            </button>
          ) : (
            <button
              type="button"
              className={controls.primary}
              disabled={change.isPending || theirs !== undefined}
              onClick={() => set(true, read.etag)}
            >
              Switch on
            </button>
          )}
          {theirs !== undefined && (
            <button type="button" className={controls.button} onClick={() => set(true, theirs.etag)}>
              Switch on all the same
            </button>
          )}
        </div>
        {!isAsked && change.error !== null && (
          <p className={controls.fault} role="alert">
            {change.error.message}
          </p>
        )}
      </div>
      {isAsked && (
        <ConfirmChange
          title={`Switch off ${name}?`}
          action="Switch off"
          read={{ data: read, error: null }}
          change={{ ...change, mutate: (etag) => set(false, etag) }}
          onClose={close}
        >
          Every page of this Grid but these settings will be refused, for all members. Telemetry sent meanwhile is lost:
          senders do not repeat it. You can switch it on again here.
        </ConfirmChange>
      )}
    </Card>
  );
}
