import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { useParameters } from '../../time/use-parameters';

export const SPEEDS = ['0.75', '1', '1.25', '1.5', '2'] as const;

/** Without an engine for speech this is an error that says what its operator has to install. */
export function useVoices() {
  return useQuery({
    queryKey: ['voices'],
    queryFn: ({ signal }) => answerOf(api.GET('/assistant/voices', { signal })),
    staleTime: Infinity,
    retry: false,
  });
}

/** How answers are read; null is the first voice. */
export function useSpeechChoice() {
  const [parameters, change] = useParameters();
  const speed = SPEEDS.find((each) => each === parameters.get('speed')) ?? '1';
  return { voice: parameters.get('voice'), speed: Number(speed), choose: change };
}
