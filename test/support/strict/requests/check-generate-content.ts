import type { IssuedStates } from '../answers/issued-state.ts'
import { checkContents } from './check-contents.ts'
import { isGemini3 } from './gemini-models.ts'
import {
  countFrom,
  demand,
  type Json,
  noneTwice,
  numberWithin,
  objectAt,
  objectsAt,
  oneOf,
  onlyFields,
  textAt,
} from './refusal.ts'
import { checkGoogleSchema } from './schema-rules.ts'

const FIELDS =
  'model contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels serviceTier store continuationToken'
const CONFIG_FIELDS =
  'temperature topP topK candidateCount maxOutputTokens stopSequences responseMimeType responseSchema responseJsonSchema responseModalities responseLogprobs logprobs speechConfig imageConfig thinkingConfig seed presencePenalty frequencyPenalty mediaResolution enableEnhancedCivicAnswers'

/** Refuses what generativelanguage.googleapis.com refuses for this model (from the path). */
export function checkGenerateContent(body: Json, model: string, issued: IssuedStates): void {
  onlyFields(body, '', FIELDS)
  if (body.systemInstruction !== undefined) {
    const instruction = objectAt(body.systemInstruction, 'systemInstruction')
    onlyFields(instruction, 'systemInstruction', 'parts role')
    for (const [index, part] of objectsAt(instruction.parts, 'systemInstruction.parts').entries()) {
      const path = `systemInstruction.parts[${index}]`
      onlyFields(part, path, 'text')
      demand(textAt(part.text, `${path}.text`) !== '', path, 'must have a text parameter')
    }
  }
  const names = checkTools(body.tools)
  checkToolConfig(body.toolConfig, names)
  checkConfig(body.generationConfig, model)
  if (body.serviceTier !== undefined)
    oneOf(body.serviceTier, 'serviceTier', 'standard flex priority unspecified')
  checkContents(body, model, issued)
}

function checkTools(value: unknown): string[] {
  if (value === undefined) return []
  const names: string[] = []
  const tools = objectsAt(value, 'tools')
  for (const [index, tool] of tools.entries()) {
    const path = `tools[${index}]`
    onlyFields(
      tool,
      path,
      'functionDeclarations googleSearch urlContext codeExecution googleMaps fileSearch computerUse googleSearchRetrieval mcpServers',
    )
    demand(
      Object.keys(tool).length > 0,
      path,
      'tool_type: required one_of must have one initialized field',
    )
    if (tool.functionDeclarations === undefined) continue
    const declared = objectsAt(tool.functionDeclarations, `${path}.functionDeclarations`)
    demand(declared.length > 0, `${path}.functionDeclarations`, 'must not be empty')
    for (const [at, one] of declared.entries()) {
      names.push(checkDeclaration(one, `${path}.functionDeclarations[${at}]`))
    }
  }
  noneTwice(names, 'tools', 'Duplicate function declaration: names')
  return names
}

function checkDeclaration(one: Json, path: string): string {
  onlyFields(
    one,
    path,
    'name description parameters parametersJsonSchema response responseJsonSchema behavior',
  )
  const name = textAt(one.name, `${path}.name`)
  demand(
    /^[a-zA-Z_][\w.:-]{0,127}$/.test(name),
    `${path}.name`,
    'Invalid function name. Must start with a letter or an underscore. Must be alphanumeric, underscores, dots, colons or dashes, with a maximum length of 128',
  )
  demand(
    one.parameters === undefined || one.parametersJsonSchema === undefined,
    path,
    'only one of parameters and parametersJsonSchema',
  )
  if (one.parameters !== undefined) {
    checkGoogleSchema(one.parameters, `${path}.parameters`)
    const type = (one.parameters as Json).type
    demand(
      String(type).toUpperCase() === 'OBJECT',
      `${path}.parameters`,
      'should be of type OBJECT',
    )
  }
  if (one.parametersJsonSchema !== undefined) {
    const schema = objectAt(one.parametersJsonSchema, `${path}.parametersJsonSchema`)
    demand(schema.type === 'object', `${path}.parametersJsonSchema`, 'should be of type object')
  }
  return name
}

function checkToolConfig(value: unknown, names: readonly string[]): void {
  if (value === undefined) return
  const config = objectAt(value, 'toolConfig')
  onlyFields(
    config,
    'toolConfig',
    'functionCallingConfig retrievalConfig includeServerSideToolInvocations',
  )
  if (config.functionCallingConfig === undefined) return
  const path = 'toolConfig.functionCallingConfig'
  const calling = objectAt(config.functionCallingConfig, path)
  onlyFields(calling, path, 'mode allowedFunctionNames')
  const mode = oneOf(calling.mode, `${path}.mode`, 'AUTO ANY NONE VALIDATED')
  demand(
    names.length > 0 || mode === 'NONE' || mode === 'AUTO',
    path,
    'Function calling config is set without function_declarations',
  )
  const { allowedFunctionNames: allowed } = calling
  if (allowed === undefined) return
  demand(
    mode === 'ANY' || mode === 'VALIDATED',
    path,
    'allowed_function_names should only be set with mode ANY',
  )
  demand(
    Array.isArray(allowed) && allowed.every((name) => names.includes(name)),
    path,
    'allowed_function_names: unknown function',
  )
}

function checkConfig(value: unknown, model: string): void {
  if (value === undefined) return
  const at = (field: string) => `generationConfig.${field}`
  const config = objectAt(value, 'generationConfig')
  onlyFields(config, 'generationConfig', CONFIG_FIELDS)
  if (config.temperature !== undefined) numberWithin(config.temperature, at('temperature'), 0, 2)
  if (config.topP !== undefined) numberWithin(config.topP, at('topP'), 0, 1)
  for (const field of ['topK', 'maxOutputTokens', 'candidateCount']) {
    if (config[field] !== undefined) countFrom(config[field], at(field), 1)
  }
  if (config.candidateCount !== undefined)
    numberWithin(config.candidateCount, at('candidateCount'), 1, 8)
  if (config.seed !== undefined) numberWithin(config.seed, at('seed'), -2147483648, 2147483647)
  if (config.stopSequences !== undefined) {
    const list = config.stopSequences
    demand(Array.isArray(list) && list.length <= 5, at('stopSequences'), 'at most 5 stop sequences')
    demand(
      list.every((one) => typeof one === 'string' && one !== ''),
      at('stopSequences'),
      'must not be empty',
    )
  }
  if (config.logprobs !== undefined) {
    demand(config.responseLogprobs === true, at('logprobs'), 'requires responseLogprobs')
  }
  checkOutput(config)
  checkThinking(config.thinkingConfig, model)
}

function checkOutput(config: Json): void {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config
  if (type !== undefined) {
    oneOf(type, 'generationConfig.responseMimeType', 'text/plain application/json text/x.enum')
  }
  demand(
    responseSchema === undefined || responseJsonSchema === undefined,
    'generationConfig.responseJsonSchema',
    'only one of response_schema and response_json_schema',
  )
  if (responseSchema !== undefined)
    checkGoogleSchema(responseSchema, 'generationConfig.responseSchema')
  demand(
    (responseSchema === undefined && responseJsonSchema === undefined) ||
      type === 'application/json',
    'generationConfig.responseMimeType',
    'must be application/json when a response schema is set',
  )
}

function checkThinking(value: unknown, model: string): void {
  if (value === undefined) return
  const path = 'generationConfig.thinkingConfig'
  const thinking = objectAt(value, path)
  onlyFields(thinking, path, 'includeThoughts thinkingBudget thinkingLevel')
  const { thinkingBudget: budget, thinkingLevel: level } = thinking
  demand(
    budget === undefined || level === undefined,
    path,
    'You can only set only one of thinking budget and thinking level',
  )
  if (level !== undefined) {
    demand(
      isGemini3(model),
      `${path}.thinkingLevel`,
      'Thinking level is not supported for this model',
    )
    const words = /-pro/.test(model) ? 'LOW MEDIUM HIGH' : 'MINIMAL LOW MEDIUM HIGH'
    oneOf(level, `${path}.thinkingLevel`, words)
  }
  if (budget !== undefined) {
    const isPro = /pro/.test(model)
    numberWithin(budget, `${path}.thinkingBudget`, -1, isPro ? 32_768 : 24_576)
    demand(
      !isPro || budget === -1 || Number(budget) >= 128,
      `${path}.thinkingBudget`,
      'Budget 0 is invalid. This model only works in thinking mode',
    )
  }
}
