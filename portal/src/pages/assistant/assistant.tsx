import { Page } from '../../ui/page';

export default function AssistantPage() {
  return <Page title="Assistant">{null}</Page>;
}
