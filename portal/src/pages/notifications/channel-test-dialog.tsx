import { useEffect } from 'react';
import { Dialog } from '../../ui/dialog';
import { DeliveryState } from './deliveries-tab';
import { useChannelTest, useDeliveries } from './use-deliveries';
import controls from '../../ui/controls.module.css';
import styles from './notifications.module.css';

interface ChannelTestDialogProps {
  readonly channelId: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Sends a test message when it opens, and shows what the receiver answers. */
export function ChannelTestDialog({ channelId, name, onClose }: ChannelTestDialogProps) {
  const { mutate, data, error, isPending } = useChannelTest(channelId);
  const deliveries = useDeliveries(channelId);
  useEffect(() => mutate(), [mutate]);
  const delivery = deliveries.data?.find(({ key }) => key === data?.key) ?? data;
  return (
    <Dialog title={`Test of ${name}`} onClose={onClose}>
      <div className="stack">
        <div aria-live="polite">
          {delivery === undefined ? (
            error === null && <p>Sending a test message …</p>
          ) : (
            <div className="stack">
              <DeliveryState delivery={delivery} />
              {delivery.state === 'pending' && delivery.nextAttemptAt !== undefined && (
                <p className={styles.quiet}>It will be retried. The deliveries of the channel show the result.</p>
              )}
            </div>
          )}
          {error !== null && (
            <p className={controls.error} role="alert">
              {error.message}
            </p>
          )}
        </div>
        <div className={controls.row}>
          <button
            type="button"
            className={controls.button}
            disabled={isPending || delivery?.state === 'pending'}
            onClick={() => mutate()}
          >
            Send another test
          </button>
          <button type="button" className={controls.button} onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}
