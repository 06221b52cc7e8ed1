import { findGuideTopic, listGuideTopics } from '../understanding/guide-topics.js';
import { joinWithAnd } from '../answers/answer-formatting.js';
import type { Intent } from './intent.js';

/** Says how something is done that the assistant itself cannot do. */
export const guideIntent: Intent = {
  name: 'guide',
  cues: { guided: 12 },
  forms: ['How do I silence an alert?'],
  async answer(_context, { term = '' }) {
    const topic = findGuideTopic(term);
    const text = topic?.text ?? `I can say how these are managed: ${joinWithAnd(listGuideTopics())}.`;
    return { text, followUps: ['What can you do?', 'Is anything broken?'] };
  },
};
