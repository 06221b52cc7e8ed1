import { randomUUID } from 'node:crypto';
import type { Answerer } from '../assistant/answerer.js';
import { AssistantTurns, createAssistant, createLazyAnswerer } from '../assistant/create-assistant.js';
import { createSpeechEngines } from '../assistant/speech/adapters/create-speech-engines.js';
import type { SpeechEngines } from '../assistant/speech/speech-engines.js';
import type { ToolQueries } from '../assistant/tool.js';
import { TOOLS } from '../assistant/tools/tool-registry.js';
import { withVisibleUsage } from '../commands/assistant/assistant-commands.js';
import type { Settings } from '../config/settings.js';
import type { Logger } from '../self-telemetry/logger.js';
import { withNearbyChanges } from '../queries/incidents/incident-details.js';
import { withObjectiveCharts } from '../queries/charts/objective-charts.js';
import { withQueryCharts } from '../queries/charts/query-charts.js';
import { createVisibilityWaiter } from './command-visibility.js';
import { PARTS, type RegisterPart } from './service-parts.js';

/** Registers the assistant. Its answerer is loaded with the first question. */
export function registerAssistant(register: RegisterPart, settings: Settings, log: Logger): void {
  register(PARTS.assistant, (parts) => {
    const telemetry = parts.resolve(PARTS.reader).api;
    const diagnostics = parts.resolve(PARTS.diagnostics).api;
    const usage = parts.resolve(PARTS.accessThread).api;
    const access = parts.resolve(PARTS.access);
    const charts = withQueryCharts(withObjectiveCharts(diagnostics, diagnostics), { telemetry, newId: randomUUID });
    const incidents = withNearbyChanges(usage, diagnostics, Date.now);
    const answerer = createLazyAnswerer(() =>
      createAnswerer(
        {
          telemetry,
          diagnostics,
          charts,
          usage,
          incidents,
          alerts: diagnostics,
          slos: diagnostics,
          notifications: usage,
        },
        settings,
        log,
      ),
    );
    const commands = withVisibleUsage(
      parts.resolve(PARTS.assistantCommands),
      createVisibilityWaiter(parts.resolve(PARTS.progress), 'usage'),
    );
    return createAssistant({
      commands,
      usage,
      telemetry,
      answerer,
      speech: parts.resolve(PARTS.speech),
      scheduler: new AssistantTurns(async (gridId) => (await access.findGrid(gridId))?.ownerId ?? gridId),
      log,
      now: Date.now,
    });
  });
}

/** The rule-based analyst; with LLM_BASE_URL and LLM_MODEL a language model that falls back to the analyst. */
async function createAnswerer(
  queries: ToolQueries,
  { llmBaseUrl: baseUrl, llmModel: model, llmApiKey }: Settings,
  log: Logger,
): Promise<Answerer> {
  const { createAnalyst } = await import('../assistant/analyst/analyst.js');
  const analyst = createAnalyst(queries);
  if (baseUrl === undefined || model === undefined) return analyst;
  const { EXAMPLE_QUESTIONS } = await import('../assistant/analyst/fallback-answers.js');
  const { createModelAnswerer } = await import('../assistant/language-model/model-answerer.js');
  const { createOpenAiModel } = await import('../assistant/language-model/adapters/openai/openai-model.js');
  return createModelAnswerer({
    model: createOpenAiModel({ baseUrl, model, apiKey: llmApiKey?.reveal() }),
    tools: TOOLS,
    queries,
    fallback: analyst,
    suggestions: EXAMPLE_QUESTIONS,
    log,
  });
}

/** Speech engines of the service at SPEECH_BASE_URL, or the embedded ones. */
export function createConfiguredSpeech({
  speechBaseUrl: baseUrl,
  speechApiKey,
  ttsModel,
  sttModel,
}: Settings): Promise<SpeechEngines> {
  return createSpeechEngines({ baseUrl, apiKey: speechApiKey?.reveal(), ttsModel, sttModel });
}
