import { Page } from '../../ui/page';

export default function UsageAndLimitsPage() {
  return <Page title="Usage and limits">{null}</Page>;
}
