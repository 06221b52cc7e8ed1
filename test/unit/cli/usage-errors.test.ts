import assert from 'node:assert/strict';
import { writeJsonUsageError, writeUsageError } from '../../../src/cli/exit-status.js';

describe('usage errors', () => {
  const ERROR = "error: option '--level <level>' argument '\u001b[31m\u202e' is invalid.\n(see --help)\n";

  function printed(write: typeof writeUsageError): string {
    const texts: string[] = [];
    write(ERROR, (text) => texts.push(text));
    return texts.join('');
  }

  it('quote no character that a terminal interprets', () => {
    const quoted = String.raw`error: option '--level <level>' argument '\u001b[31m\u202e' is invalid.`;
    assert.equal(printed(writeUsageError), `${quoted}\n(see --help)\n`);
    assert.doesNotMatch(printed(writeJsonUsageError), /[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
  });
});
