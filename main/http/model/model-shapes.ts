import type { UsableModel } from '../../relay/channel/usable-models.ts'
import type { Capability } from '../../relay/pricing/model-capabilities.ts'

/** When the models came to be is not known; the number is the one that new-api gives. */
const CREATED = 1626777600

/** https://platform.openai.com/docs/api-reference/models/object , and new-api's list of endpoint types. */
export const toOpenai = (model: UsableModel) => ({
  id: model.id,
  object: 'model',
  created: CREATED,
  owned_by: model.owner,
  supported_endpoint_types: model.endpointTypes,
})

/** https://docs.anthropic.com/en/api/models ; what is not known is null, or left out. */
export const toAnthropic = (model: UsableModel) => ({
  type: 'model',
  id: model.id,
  display_name: model.displayName,
  created_at: new Date(CREATED * 1000).toISOString(),
  max_input_tokens: model.maxInput,
  max_tokens: model.maxOutput,
  capabilities: null,
})

const methods: Readonly<Partial<Record<Capability, readonly string[]>>> = {
  chat: ['generateContent', 'streamGenerateContent', 'countTokens'],
  speech: ['generateContent'],
  embeddings: ['embedContent', 'batchEmbedContents'],
}

/** https://ai.google.dev/api/models#Model ; limits that are not known are left out. */
export const toGemini = (model: UsableModel) => ({
  name: `models/${model.id}`,
  baseModelId: model.id,
  version: '',
  displayName: model.displayName,
  ...(model.maxInput === null ? {} : { inputTokenLimit: model.maxInput }),
  ...(model.maxOutput === null ? {} : { outputTokenLimit: model.maxOutput }),
  supportedGenerationMethods: [
    ...new Set(model.capabilities.flatMap((capability) => methods[capability] ?? [])),
  ],
})

/**
 * Codex' own list says far more of each model, its instructions for one, and drops the whole list over
 * one missing field: https://github.com/openai/codex (codex-rs/protocol/src/openai_models.rs). What is not
 * known here is left out: Codex then falls back to its own catalogue, while a guess would have it send
 * what the model does not take.
 */
export const toCodex = (model: UsableModel) => ({
  slug: model.id,
  display_name: model.displayName,
  visibility: 'list',
  supported_in_api: true,
  ...(model.contextWindow === null ? {} : { context_window: model.contextWindow }),
})
