import Type from 'typebox';

/** Schema for routes of tests, whose answers nobody looks at: any JSON object. */
export const ANY_ANSWER = Type.Object({});
