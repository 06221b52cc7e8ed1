import { Page } from '../../ui/page';

export default function MetricsPage() {
  return <Page title="Metrics">{null}</Page>;
}
