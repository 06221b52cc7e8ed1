import { Page } from '../../ui/page';

export default function LogsPage() {
  return <Page title="Logs">{null}</Page>;
}
