import { clockText } from '../../format/moments';
import { countText } from '../../format/quantities';
import { QueryState } from '../../ui/query-state';
import { Gauge } from './gauge';
import { useEnergy, useLimits } from './use-usage';

/** What is used and what is left, now. */
export function Gauges() {
  const energy = useEnergy();
  const limits = useLimits();
  return (
    <div className="grid">
      <QueryState query={energy}>
        {({ currentEnergy, maxEnergy, regenerationRate, regenerationIntervalMinutes, nextRegenerationAt }) => (
          <Gauge title="Your energy" used={maxEnergy - currentEnergy} limit={maxEnergy} unit="used">
            {countText(currentEnergy)} left in all Grids together.{' '}
            {currentEnergy < maxEnergy
              ? `+${countText(regenerationRate)} every ${countText(regenerationIntervalMinutes)} minutes, next at ${clockText(nextRegenerationAt)}.`
              : 'It is full.'}
          </Gauge>
        )}
      </QueryState>
      <QueryState query={limits}>
        {({ dailyPromptsUsed, dailyPromptLimit }) => (
          <Gauge title="Your prompts today" used={dailyPromptsUsed} limit={dailyPromptLimit} unit="prompts">
            {dailyPromptLimit === 0
              ? 'The assistant is switched off in this Grid.'
              : 'Counted by UTC day, for each user.'}
          </Gauge>
        )}
      </QueryState>
      <QueryState query={limits}>
        {({ monthlySpeechMinutesUsed, monthlySpeechMinutes }) => (
          <Gauge title="Speech this month" used={monthlySpeechMinutesUsed} limit={monthlySpeechMinutes} unit="minutes">
            Heard and spoken, by all of the Grid together. Counted by UTC month.
          </Gauge>
        )}
      </QueryState>
      <QueryState query={limits}>
        {({ activeSessions, maxConcurrentSessions }) => (
          <Gauge title="Sessions at once" used={activeSessions} limit={maxConcurrentSessions} unit="sessions">
            Of all of the Grid together. One ends by itself after 30 idle minutes.
          </Gauge>
        )}
      </QueryState>
    </div>
  );
}
