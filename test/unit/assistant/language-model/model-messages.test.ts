import assert from 'node:assert/strict';
import { parseFinalText } from '../../../../src/assistant/language-model/model-messages.js';

describe('parseFinalText', () => {
  it('distinguishes the answer from three different questions of bounded length', () => {
    assert.deepEqual(
      parseFinalText('Fine.\n\n>> Why?\n>> Why?\r\n>> \n>> ' + 'x'.repeat(121) + '\n>> What?\n>> Who?\n>> Where?'),
      { response: 'Fine.', followUps: ['Why?', 'What?', 'Who?'] },
    );
  });

  it('takes no more than 8,000 characters', () => {
    assert.equal(parseFinalText('x'.repeat(100_000)).response.length, 8_000);
  });

  it('leaves nothing to follow, to load, or to be fooled by', () => {
    const said =
      'See [the log](https://a.example/?q=secret), ![](http://b.example/p.png) <script>x</script> javascript:alert(1) www.evil.example/x \u001b[31mred\u202Eder';
    assert.deepEqual(
      parseFinalText(said).response,
      'See the log,  x (address left out) (address left out)  [31mred der',
    );
  });

  it('keeps less-than signs, operations and rates', () => {
    const said = 'POST /orders/{id}: p95 < 300 ms > 200 ms (a/b) [sic]';
    assert.equal(parseFinalText(said).response, said);
  });
});
