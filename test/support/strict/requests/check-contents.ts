import { callKey, type IssuedStates } from '../answers/issued-state.ts'
import { isGemini3 } from './gemini-models.ts'
import { checkBase64 } from './media-rules.ts'
import {
  demand,
  type Json,
  objectAt,
  objectsAt,
  oneOf,
  onlyFields,
  refuse,
  textAt,
} from './refusal.ts'

interface Content {
  role: string
  parts: Json[]
  path: string
}

/** Google's documented word for a call that another model made. */
const SENTINEL = 'skip_thought_signature_validator'

const KINDS =
  'text inlineData fileData functionCall functionResponse executableCode codeExecutionResult toolCall toolResponse'
const MEDIA =
  'image/png image/jpeg image/webp image/heic image/heif application/pdf text/plain audio/wav audio/mp3 audio/mpeg audio/aac audio/ogg audio/flac video/mp4 video/webm'

/** Refuses what is wrong in `contents`: roles, parts, counts of calls and responses, signatures. */
export function checkContents(body: Json, model: string, issued: IssuedStates): void {
  const contents = objectsAt(body.contents, 'contents').map(readContent)
  demand(contents.length > 0, 'contents', 'contents is not specified')
  demand(
    contents[0]?.role === 'user',
    'contents',
    'Please ensure that multiturn requests begin with a user role',
  )
  demand(
    contents.at(-1)?.role === 'user',
    'contents',
    'Please ensure that multiturn requests end with a user role or a function response',
  )
  for (const [index, content] of contents.entries()) {
    const before = contents[index - 1]
    demand(
      before?.role !== content.role,
      content.path,
      'Please ensure that multiturn requests alternate between user and model',
    )
    for (const [at, part] of content.parts.entries())
      checkPart(part, `${content.path}.parts[${at}]`, content.role)
    checkPairing(contents, index, model)
  }
  const turnStart = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && !parts.some((part) => 'functionResponse' in part),
  )
  for (const [index, content] of contents.entries()) {
    if (content.role === 'model')
      checkSignatures(content, isGemini3(model) && index > turnStart, issued)
  }
}

function readContent(content: Json, index: number): Content {
  const path = `contents[${index}]`
  onlyFields(content, path, 'role parts')
  const role = oneOf(content.role ?? 'user', `${path}.role`, 'user model')
  const parts = objectsAt(content.parts, `${path}.parts`)
  demand(parts.length > 0, `${path}.parts`, 'contents.parts must not be empty')
  return { role, parts, path }
}

function checkPart(part: Json, path: string, role: string): void {
  onlyFields(part, path, `${KINDS} thought thoughtSignature mediaResolution videoMetadata`)
  const kinds = KINDS.split(' ').filter((kind) => kind in part)
  demand(
    kinds.length === 1,
    path,
    'contents.parts.data: required oneof field ‘data’ must have one initialized field',
  )
  const [kind] = kinds
  if (kind === 'text') {
    const isEmpty = textAt(part.text, `${path}.text`) === ''
    demand(
      !isEmpty || part.thoughtSignature !== undefined,
      path,
      'Unable to submit request because it must have a text parameter',
    )
  } else if (kind === 'inlineData') {
    const blob = objectAt(part.inlineData, `${path}.inlineData`)
    onlyFields(blob, `${path}.inlineData`, 'mimeType data displayName')
    checkBase64(blob.data, blob.mimeType, MEDIA, `${path}.inlineData`)
  } else if (kind === 'fileData') {
    const file = objectAt(part.fileData, `${path}.fileData`)
    onlyFields(file, `${path}.fileData`, 'fileUri mimeType displayName')
    textAt(file.fileUri, `${path}.fileData.fileUri`)
  } else if (kind === 'functionCall') {
    demand(role === 'model', path, 'a function call must be in a model turn')
    const call = objectAt(part.functionCall, `${path}.functionCall`)
    onlyFields(call, `${path}.functionCall`, 'name args id')
    textAt(call.name, `${path}.functionCall.name`)
    if (call.args !== undefined) objectAt(call.args, `${path}.functionCall.args`)
  } else if (kind === 'functionResponse') {
    demand(role === 'user', path, 'a function response must be in a user turn')
    checkResponse(
      objectAt(part.functionResponse, `${path}.functionResponse`),
      `${path}.functionResponse`,
    )
  }
}

function checkResponse(response: Json, path: string): void {
  onlyFields(response, path, 'name response id parts scheduling willContinue')
  demand(textAt(response.name, `${path}.name`) !== '', `${path}.name`, 'Name cannot be empty')
  objectAt(response.response, `${path}.response`)
  if (response.parts === undefined) return
  for (const [index, part] of objectsAt(response.parts, `${path}.parts`).entries()) {
    const at = `${path}.parts[${index}]`
    onlyFields(part, at, 'inlineData fileData')
    if (part.fileData !== undefined) continue
    const blob = objectAt(part.inlineData, `${at}.inlineData`)
    onlyFields(blob, `${at}.inlineData`, 'mimeType data displayName')
    checkBase64(blob.data, blob.mimeType, MEDIA, `${at}.inlineData`)
  }
}

/** As many responses as calls, of the same names, in the turn right after them and nowhere else. */
function checkPairing(contents: readonly Content[], index: number, model: string): void {
  const { role, parts, path } = contents[index] as Content
  if (role === 'model') {
    const calls = parts
      .filter((part) => 'functionCall' in part)
      .map((part) => part.functionCall as Json)
    if (calls.length === 0) return
    const answers = responsesOf(contents[index + 1])
    demand(
      calls.length === answers.length,
      path,
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn',
    )
    for (const [at, call] of calls.entries()) {
      const answer = answers[at] as Json
      demand(
        answer.name === call.name,
        path,
        `The function response ${at} is for “${answer.name}”, the call for “${call.name}”`,
      )
      demand(answer.id === call.id, path, 'The ids of function call and function response differ')
    }
    return
  }
  const answers = responsesOf(contents[index])
  if (answers.length === 0) return
  const before = contents[index - 1]?.parts.filter((part) => 'functionCall' in part) ?? []
  demand(
    before.length > 0,
    path,
    'Please ensure that function response turn comes immediately after a function call turn',
  )
  const hasMedia = answers.some((answer) => answer.parts !== undefined)
  demand(
    !hasMedia || isGemini3(model),
    path,
    'Multimodal function response is not supported by this model',
  )
}

const responsesOf = (content: Content | undefined): Json[] =>
  content?.role !== 'user'
    ? []
    : content.parts
        .filter((part) => 'functionResponse' in part)
        .map((part) => part.functionResponse as Json)

/** Signatures were made here for what they stand on; in the running turn the first call needs its own. */
function checkSignatures({ parts, path }: Content, mustSign: boolean, issued: IssuedStates): void {
  let isFirstCall = true
  for (const [index, part] of parts.entries()) {
    const at = `${path}.parts[${index}]`
    const call = part.functionCall as Json | undefined
    const owed = call ? issued.ofCall(String(call.id ?? callKey(call.name, call.args))) : []
    const { thoughtSignature: given } = part
    const isOwed = isFirstCall && call !== undefined && mustSign
    if (call) isFirstCall = false
    if (given === undefined) {
      if (isOwed)
        refuse(
          at,
          `Function call is missing a thought_signature in functionCall parts. Function call \`${call?.name}\``,
        )
      continue
    }
    if (given === SENTINEL) {
      demand(call, at, 'the sentinel belongs on a function call')
      demand(
        owed.length === 0,
        at,
        'The sentinel stands where the model’s own signature was given away',
      )
      continue
    }
    const state = issued.get(given)
    if (!state) refuse(`${at}.thoughtSignature`, 'Thought signature is not valid')
    if (!call) {
      demand(state.calls.length === 0, at, 'The thought signature belongs to a function call')
      continue
    }
    const key = String(call.id ?? callKey(call.name, call.args))
    demand(state.calls.includes(key), at, 'The thought signature belongs to another function call')
  }
}
