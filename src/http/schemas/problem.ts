import Type from 'typebox';
import { listOf, record, text } from './terms.js';

const FieldFault = record('FieldFault', 'What is wrong with one field.', {
  field: text('Name of the field as it was sent; empty for the whole.', 'rangeStart'),
  message: text('What is wrong, in a sentence.', 'rangeStart is required'),
});

export const ProblemSchema = record('Problem', 'What is wrong (RFC 7807).', {
  type: Type.String({ format: 'uri', description: 'Address of the explanation of this type of problem.', examples: ['https://hindsight.example/problems/invalid-request'] }),
  title: text('What all problems of the type have in common.', 'Invalid request'),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'Status of the answer.', examples: [400] }),
  detail: text('What is wrong this time.', 'Some fields are not as the operation requires.'),
  instance: Type.Optional(text('Path of the request; absent where none could be read.', '/apm/traces/0a0a0a0a-1111-4222-8333-0123456789ab')),
  errors: Type.Optional(listOf(FieldFault, 'Every fault; only where single fields are wrong.')),
});
