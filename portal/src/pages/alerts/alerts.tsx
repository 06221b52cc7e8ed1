import { useMay } from '../../session/use-session';
import { useParameters } from '../../time/use-parameters';
import { Page } from '../../ui/page';
import { Tabs } from '../../ui/tabs';
import { AlertLists } from './alert-lists';
import { RulesTab } from './rules-tab';

const TABS = [
  { id: 'alerts', title: 'Alerts' },
  { id: 'rules', title: 'Rules' },
];

/** What fires, and by which rules; Members change them, and try them over past data. */
export default function AlertsPage() {
  const [parameters, change] = useParameters();
  const mayChange = useMay('Member');
  const tab = mayChange && (parameters.get('tab') === 'rules' || parameters.has('rule')) ? 'rules' : 'alerts';
  return (
    <Page title="Alerts" lead="What fires, and what watches.">
      {mayChange ? (
        <Tabs
          label="Alerts"
          tabs={TABS}
          chosen={tab}
          onChoose={(id) => change({ tab: id === 'alerts' ? undefined : id, rule: undefined })}
        >
          {tab === 'rules' ? <RulesTab /> : <AlertLists />}
        </Tabs>
      ) : (
        <AlertLists />
      )}
    </Page>
  );
}
