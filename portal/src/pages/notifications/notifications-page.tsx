import { useHasRole } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { Tabs } from '../../ui/tabs';
import { ChannelsTab } from './channels-tab';
import { DeliveriesTab } from './deliveries-tab';
import { RoutesTab } from './routes-tab';
import { SilencesTab } from './silences-tab';

const TABS = [
  { id: 'channels', title: 'Channels' },
  { id: 'routes', title: 'Routes' },
  { id: 'silences', title: 'Silences' },
  { id: 'deliveries', title: 'Deliveries' },
];

/** Who is notified of alerts, and whether the notifications were delivered. */
export default function NotificationsPage() {
  const [parameters, change] = useUrlParameters();
  const isMember = useHasRole('Member');
  if (!isMember)
    return (
      <Page title="Notifications">
        <EmptyState title="Notifications are for Members and Owners">An Owner can change your role.</EmptyState>
      </Page>
    );
  const selected = TABS.find(({ id }) => id === parameters.get('tab'))?.id ?? 'channels';
  return (
    <Page title="Notifications" lead="Who is notified of alerts, and whether the notifications were delivered">
      <Tabs label="Notifications" tabs={TABS} selected={selected} onSelect={(tab) => change({ tab }, true)}>
        {selected === 'channels' && (
          <ChannelsTab onDeliveries={(channel) => change({ tab: 'deliveries', channel }, true)} />
        )}
        {selected === 'routes' && <RoutesTab />}
        {selected === 'silences' && <SilencesTab />}
        {selected === 'deliveries' && (
          <DeliveriesTab channelId={parameters.get('channel')} onSelect={(channel) => change({ channel }, true)} />
        )}
      </Tabs>
    </Page>
  );
}
