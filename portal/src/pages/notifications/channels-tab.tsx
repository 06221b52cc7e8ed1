import { Plus, Send } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { DataTable } from '../../components/data-table';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { CHANNEL_FORM, CHANNEL_TITLES, NEW_CHANNEL } from './channel-form';
import { ChannelTestDialog } from './channel-test-dialog';
import { DeleteDefinitionButton, EditDefinitionDialog, NewDefinitionDialog } from './definition-dialog';
import { CHANNELS, useDefinitions } from './notification-definitions';
import controls from '../../ui/controls.module.css';
import styles from './notifications.module.css';

type Channel = Schemas['Channel'];

/** Receivers of notifications. `onDeliveries` shows the deliveries of one. */
export function ChannelsTab({ onDeliveries }: { readonly onDeliveries: (channelId: string) => void }) {
  const channels = useDefinitions(CHANNELS);
  const [isCreating, setCreating] = useState(false);
  return (
    <Card
      title="Channels"
      aside={
        <button type="button" className={controls.primary} onClick={() => setCreating(true)}>
          <Plus size={15} aria-hidden /> New channel
        </button>
      }
    >
      {isCreating && (
        <NewDefinitionDialog
          form={CHANNEL_FORM}
          title="New channel"
          initial={NEW_CHANNEL}
          onClose={() => setCreating(false)}
        />
      )}
      <QueryBoundary query={channels} skeleton={<Skeleton lines={4} />}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title="No channels yet">
              A channel is where notifications go, such as Slack or e-mail. Create one, then a route.
            </EmptyState>
          ) : (
            <DataTable
              label="Channels"
              rows={all}
              getRowKey={({ id }) => id}
              columns={[
                { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
                { title: 'Type', cell: ({ type }) => CHANNEL_TITLES[type] },
                {
                  title: 'Receiver',
                  cell: ({ target, recipients }) => (
                    <span className={styles.answer}>{recipients.length > 0 ? recipients.join(', ') : target}</span>
                  ),
                },
                {
                  title: 'Actions',
                  cell: (channel) => <ChannelActions channel={channel} onDeliveries={() => onDeliveries(channel.id)} />,
                },
              ]}
            />
          )
        }
      </QueryBoundary>
    </Card>
  );
}

function ChannelActions({
  channel: { id, name },
  onDeliveries,
}: {
  readonly channel: Channel;
  readonly onDeliveries: () => void;
}) {
  const [open, setOpen] = useState<'edit' | 'test'>();
  const handleClose = (): void => setOpen(undefined);
  return (
    <div className={controls.row}>
      <button
        type="button"
        className={controls.button}
        aria-label={`Send a test to ${name}`}
        onClick={() => setOpen('test')}
      >
        <Send size={15} aria-hidden /> Test
      </button>
      <button type="button" className={controls.button} aria-label={`Deliveries to ${name}`} onClick={onDeliveries}>
        Deliveries
      </button>
      <button type="button" className={controls.button} aria-label={`Edit ${name}`} onClick={() => setOpen('edit')}>
        Edit
      </button>
      <DeleteDefinitionButton kind={CHANNELS} id={id} name={name}>
        Nobody is notified through this channel any more. A channel that a route uses cannot be deleted.
      </DeleteDefinitionButton>
      {open === 'test' && <ChannelTestDialog channelId={id} name={name} onClose={handleClose} />}
      {open === 'edit' && (
        <EditDefinitionDialog form={CHANNEL_FORM} title={`Edit ${name}`} id={id} onClose={handleClose} />
      )}
    </div>
  );
}
