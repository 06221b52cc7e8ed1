import { Page } from '../../ui/page';

export default function AlertsPage() {
  return <Page title="Alerts">{null}</Page>;
}
