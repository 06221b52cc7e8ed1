import { useHasRole } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { Tabs } from '../../ui/tabs';
import { ApiKeysTab } from './api-keys-tab';
import { AuditTab } from './audit-tab';
import { InstrumentationWizard } from './instrumentation-wizard';
import { MembersTab } from './members-tab';
import { SettingsTab } from './settings-tab';

const TABS = [
  { id: 'instrument', title: 'Instrument', role: 'Member', content: InstrumentationWizard },
  { id: 'keys', title: 'API keys', role: 'Member', content: ApiKeysTab },
  { id: 'members', title: 'Members', role: 'Owner', content: MembersTab },
  { id: 'settings', title: 'Settings', role: 'Owner', content: SettingsTab },
  { id: 'audit', title: 'Audit log', role: 'Owner', content: AuditTab },
] as const;

/** Administration of a Grid. Owners see all tabs, Members those for sending telemetry. */
export default function AdministrationPage() {
  const [parameters, change] = useUrlParameters();
  const [isMember, isOwner] = [useHasRole('Member'), useHasRole('Owner')];
  const tabs = TABS.filter(({ role }) => (role === 'Owner' ? isOwner : isMember));
  const selected = tabs.find(({ id }) => id === parameters.get('tab')) ?? tabs[0];
  if (selected === undefined)
    return (
      <Page title="Administration">
        <EmptyState title="Administration is for Members and Owners">An Owner can change your role.</EmptyState>
      </Page>
    );
  const Content = selected.content;
  return (
    <Page title="Administration" lead={isOwner ? undefined : 'Members, settings and the audit log are for Owners.'}>
      <Tabs label="Administration" tabs={tabs} selected={selected.id} onSelect={(tab) => change({ tab }, true)}>
        <Content />
      </Tabs>
    </Page>
  );
}
