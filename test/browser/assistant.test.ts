import assert from 'node:assert/strict';
import { assertForEveryone } from './support/page-checks.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

describe('the portal in a browser: the assistant', function () {
  this.timeout(60_000);
  let portal: SharedPortal;

  before(async function () {
    portal = await sharedPortal(this);
  });
  afterEach(() => portal.owner.put(`/assistant/limits/${portal.gridId}`, { dailyPromptLimit: 100 }));

  it('answers from recorded data with linked sources, and counts the prompt', async () => {
    const { page, faults } = await portal.run.signIn('member', portal.path('assistant'));
    await page.getByLabel('Your question').fill('How is checkout doing?');
    await page.keyboard.press('Enter');
    const sources = page.getByRole('region', { name: 'Sources' });
    await sources.getByRole('link').first().waitFor();
    assert.match(await page.getByRole('list', { name: 'Conversation' }).innerText(), /checkout/);
    await assertForEveryone(page, 'the assistant');
    await sources.getByRole('link').first().click();
    await page.waitForURL((url) => !url.pathname.endsWith('/assistant'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goBack();
    await sources.first().waitFor();
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page
      .getByRole('meter', { name: 'Your prompts today' })
      .and(page.locator('[aria-valuetext^="1 of "]'))
      .waitFor();
    await page.getByRole('region', { name: 'Usage by day' }).waitFor();
    await assertForEveryone(page, 'usage');
    assert.deepEqual(faults, []);
    await page.close();
  });

  it('says that the limit is reached, and what to do', async () => {
    const { page } = await portal.run.signIn('user', portal.path('assistant'));
    await page.getByRole('button', { name: 'Is anything broken?' }).click();
    await page.getByRole('region', { name: 'Sources' }).waitFor();
    assert.equal((await portal.owner.put(`/assistant/limits/${portal.gridId}`, { dailyPromptLimit: 1 })).status, 200);
    await page.getByLabel('Your question').fill('Why is it slow?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('You have used all of your prompts for today in this Grid.').waitFor();
    await page.close();
  });

  it('explains why a question is rejected', async () => {
    const { page } = await portal.run.signIn('guest', portal.path('assistant'));
    await page.getByLabel('Your question').fill('why '.repeat(1_100));
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('prompt must be shorter than or equal to 4000 characters').waitFor();
    await page.close();
  });
});
