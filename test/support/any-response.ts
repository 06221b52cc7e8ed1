import Type from 'typebox';

/** Response schema of test routes: any JSON object. */
export const ANY_RESPONSE = Type.Object({});
