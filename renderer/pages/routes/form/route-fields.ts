import type { TFunction } from 'i18next'
import { splitFailure } from '../../../components/forms/split-failure.ts'
import type { CallFailure } from '../../../gateway/call-failure.ts'

/** As the gateway takes them. */
export const longestRouteName = 100
export const longestRuleName = 60
export const mostTargets = 20
export const mostRules = 20
export const mostWeight = 1000

/** A button stands beside the input, which so follows its label at once. */
export const hintBelow: InputWrapperOrder = ['label', 'input', 'description', 'error']

type InputWrapperOrder = ('label' | 'input' | 'description' | 'error')[]

/** Labels by the last part of a field's path; a rule's name has one of its own. */
const labels = {
  name: 'routes.name',
  targets: 'routes.targets',
  rules: 'routes.rules',
  model: 'routes.model',
  channel_id: 'routes.channel',
  tag: 'routes.tag',
  weight: 'routes.weight',
  when: 'routes.conditions',
  min_input_tokens: 'routes.min_input_tokens',
  max_input_tokens: 'routes.max_input_tokens',
  images: 'routes.images',
  tools: 'routes.tools',
  web_search: 'routes.web_search',
  reasoning: 'routes.reasoning',
  background: 'routes.background',
  clients: 'routes.clients',
  token_ids: 'routes.token_ids',
} as const

export interface RouteErrors {
  /** The message at a field by its path, such as `rules[0].targets[1].model`. */
  at: (path: string) => string | undefined
  /** A failure that no field shows. */
  rest: CallFailure | null
}

export function routeErrors(failure: CallFailure | null, t: TFunction): RouteErrors {
  // An entry of a list, such as `clients[2]`, stands at the list.
  const path = failure?.field?.replace(/\[\d+\]$/, '')
  const isOfRule = path?.startsWith('rules[') === true
  const named = isOfRule ? { ...labels, name: 'routes.ruleName' as const } : labels
  const { at, rest } = splitFailure<keyof typeof labels>(failure, named, t)
  const [message] = Object.values(at)
  return { at: (wanted) => (wanted === path ? message : undefined), rest }
}
