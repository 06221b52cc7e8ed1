import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { DataTable } from '../../components/data-table';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { DeleteDefinitionButton, EditDefinitionDialog, NewDefinitionDialog } from './definition-dialog';
import { MatcherList } from './matcher-fields';
import { CHANNELS, ROUTES, useDefinitions } from './notification-definitions';
import { NEW_ROUTE, ROUTE_FORM } from './route-form';
import controls from '../../ui/controls.module.css';

/** Which alerts go to which channels. */
export function RoutesTab() {
  const routes = useDefinitions(ROUTES);
  const channels = useDefinitions(CHANNELS);
  const [isCreating, setCreating] = useState(false);
  const nameOf = (channelId: string): string => channels.data?.find(({ id }) => id === channelId)?.name ?? '…';
  const listNames = (ids: readonly string[]): string => ids.map(nameOf).join(', ');
  return (
    <Card
      title="Routes"
      aside={
        <button type="button" className={controls.primary} onClick={() => setCreating(true)}>
          <Plus size={15} aria-hidden /> New route
        </button>
      }
    >
      {isCreating && (
        <NewDefinitionDialog
          form={ROUTE_FORM}
          title="New route"
          initial={NEW_ROUTE}
          onClose={() => setCreating(false)}
        />
      )}
      <QueryBoundary query={routes} skeleton={<Skeleton lines={4} />}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title="No routes yet">Nobody is notified of alerts until a route sends them.</EmptyState>
          ) : (
            <DataTable
              label="Routes"
              rows={all}
              getRowKey={({ id }) => id}
              columns={[
                { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
                { title: 'Enabled', cell: ({ enabled }) => (enabled ? 'On' : 'Off') },
                { title: 'Alerts', cell: ({ matchers }) => <MatcherList matchers={matchers} none="All" /> },
                { title: 'Channels', cell: ({ channelIds }) => listNames(channelIds) },
                {
                  title: 'Escalation',
                  cell: ({ escalateAfterMinutes, escalateTo }) =>
                    escalateAfterMinutes === 0
                      ? 'None'
                      : `After ${escalateAfterMinutes} min to ${listNames(escalateTo)}`,
                },
                { title: 'Actions', cell: (route) => <RouteActions route={route} /> },
              ]}
            />
          )
        }
      </QueryBoundary>
    </Card>
  );
}

function RouteActions({ route: { id, name } }: { readonly route: Schemas['NotificationRoute'] }) {
  const [isEditing, setEditing] = useState(false);
  return (
    <div className={controls.row}>
      <button type="button" className={controls.button} aria-label={`Edit ${name}`} onClick={() => setEditing(true)}>
        Edit
      </button>
      <DeleteDefinitionButton kind={ROUTES} id={id} name={name}>
        New alerts are no longer sent by this route. Alerts that it has already sent still get a resolved message.
      </DeleteDefinitionButton>
      {isEditing && (
        <EditDefinitionDialog form={ROUTE_FORM} title={`Edit ${name}`} id={id} onClose={() => setEditing(false)} />
      )}
    </div>
  );
}
