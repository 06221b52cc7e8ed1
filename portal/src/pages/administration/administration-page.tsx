import { useHasRole } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { EmptyState } from '../../ui/page-states';
import { Page } from '../../ui/page';
import { Tabs } from '../../ui/tabs';
import { AuditTab } from './audit-tab';
import { ApiKeysTab } from './api-keys-tab';
import { MembersTab } from './members-tab';
import { SettingsTab } from './settings-tab';
import { InstrumentationWizard } from './instrumentation-wizard';

const TABS = [
  { id: 'instrument', title: 'Instrument', role: 'Member', content: InstrumentationWizard },
  { id: 'keys', title: 'API keys', role: 'Member', content: ApiKeysTab },
  { id: 'members', title: 'Members', role: 'Owner', content: MembersTab },
  { id: 'settings', title: 'Settings', role: 'Owner', content: SettingsTab },
  { id: 'audit', title: 'Audit', role: 'Owner', content: AuditTab },
] as const;

/** What is set up for a Grid. Owners see all of it, Members what concerns the sending of telemetry. */
export default function AdministrationPage() {
  const [parameters, change] = useUrlParameters();
  const [mayWrite, mayAll] = [useHasRole('Member'), useHasRole('Owner')];
  const tabs = TABS.filter(({ role }) => (role === 'Owner' ? mayAll : mayWrite));
  const chosen = tabs.find(({ id }) => id === parameters.get('tab')) ?? tabs[0];
  if (chosen === undefined)
    return (
      <Page title="Administration">
        <EmptyState title="Members and Owners set up a Grid">An Owner can change your role.</EmptyState>
      </Page>
    );
  const Content = chosen.content;
  return (
    <Page title="Administration" lead={mayAll ? undefined : 'Members, settings and the audit are for Owners.'}>
      <Tabs label="Administration" tabs={tabs} chosen={chosen.id} onChoose={(tab) => change({ tab }, true)}>
        <Content />
      </Tabs>
    </Page>
  );
}
