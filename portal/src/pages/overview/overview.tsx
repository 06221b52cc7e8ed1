import { Page } from '../../ui/page';

export default function OverviewPage() {
  return <Page title="Overview">{null}</Page>;
}
