/**
 * As version 1 of metrics wrote it: of the service `shop` the gauge `cpu` of instance `a` and the counter `calls`; see
 * the test of the codec for the rest.
 */
export const FORMAT_4_BLOB = Buffer.from(
  'BAAEc2hvcAIBBWNhbGxzAgADAgACAgAAAAAAABxAAAAAAAAA+H8AAAAAAAD4fwAAAAAAgFZAgKigh8WrqgYDA2NwdQQBMQAFAWEBBgVzdGF0ZQcEdXNlZAMDAAAAAAAA+D8AAAAAAADQPwAAAAAAAOg/AAAAAAAA4D+AqKCHxauqBg==',
  'base64',
);
