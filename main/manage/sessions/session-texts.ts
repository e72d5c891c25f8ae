import type { Capture } from '../../capture/capture.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import { bytesOf, isCutBody, jsonOf } from '../../inspect/body/body-content.ts'
import { readConversation } from '../../inspect/reading/read-conversation.ts'
import { type Prompt, readPrompt } from '../../inspect/sessions/prompt-pieces.ts'
import { sessionTitle } from '../../inspect/sessions/session-title.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

/** The capture if the user may read it, else null instead of a refusal: figures are shown without it. */
export function readableCapture(id: string, context: OperationContext): Capture | null {
  const { parts } = context
  const user = signedIn(context)
  const isAdministrator = hasAdministratorRole(user)
  if (!isAdministrator && !parts.settings.current.CaptureForUsers) return null
  const capture = parts.captures.find(id)
  if (!capture || isAdministrator) return capture
  return capture.userId === user.id ? { ...capture, exchanges: [] } : null
}

/** The request as the vendor saw it; for a user, who sees no upstream, as they sent it. */
export function promptOf({ client, exchanges }: Capture): Prompt | null {
  const answered = exchanges.findLast(({ answer }) => answer && answer.status < 400)
  const { body } = (answered ?? client).request
  const value = jsonOf(body)
  return value === undefined ? null : readPrompt(value)
}

/** Whether a captured call brings tools, by its id: to know it, its whole body has to be opened. */
const knownTools = new WeakMap<object, Map<string, boolean | undefined>>()
const MOST_KNOWN = 10_000

/** As `hasTools`, for each of these calls; undefined too for one whose capture was never read. */
export function toolsOfCalls(
  ids: readonly string[],
  context: OperationContext,
): (boolean | undefined)[] {
  const { captures } = context.parts
  const known = knownTools.get(captures) ?? new Map<string, boolean | undefined>()
  knownTools.set(captures, known)
  if (known.size > MOST_KNOWN) known.clear()
  const isAdministrator = hasAdministratorRole(signedIn(context))
  return ids.map((id) => {
    if (isAdministrator && known.has(id)) return known.get(id)
    const capture = readableCapture(id, context)
    if (!capture) return undefined
    const tools = hasTools(capture)
    known.set(id, tools)
    return tools
  })
}

/** Does the call bring tools? Undefined where its body is not to be read. */
export function hasTools({ client }: Capture): boolean | undefined {
  const { body } = client.request
  if (isCutBody(body)) return undefined
  try {
    return new JsonFields(bytesOf(body)).kindOfFirst('tools') !== undefined
  } catch {
    return undefined
  }
}

export const titleOf = (capture: Capture): string | null =>
  sessionTitle(readConversation(capture).input)
