import { Page } from '../../ui/page';

export default function DashboardsPage() {
  return <Page title="Dashboards">{null}</Page>;
}
