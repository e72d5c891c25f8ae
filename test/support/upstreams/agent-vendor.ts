import type { Handler, RecordedRequest, Reply } from './scripted-upstream.ts'

type Json = Record<string, unknown>

/** The agent's shell by any of its names, and arguments that say hello. */
const shells: Readonly<Record<string, object>> = {
  Bash: { command: 'echo hi', description: 'Says hi' },
  bash: { command: 'echo hi', description: 'Says hi' },
  run_shell_command: { command: 'echo hi', description: 'Says hi' },
  exec_command: { cmd: 'echo hi' },
}

const event = (value: Json, isNamed = true): string =>
  `${isNamed ? `event: ${String(value.type)}\n` : ''}data: ${JSON.stringify(value)}\n\n`

const stream = (values: readonly Json[], isNamed = true): Reply => ({
  headers: { 'content-type': 'text/event-stream' },
  chunks: values.map((value) => event(value, isNamed)),
})

interface AgentRequest {
  index: number
  body: Json
  /** Null once it was called. */
  shell: string | null
  input: number
  cached: number
}

function messages({ index, body, shell, input, cached }: AgentRequest): Reply {
  const block = shell
    ? { type: 'tool_use', id: `toolu_${index}`, name: shell, input: shells[shell] }
    : { type: 'text', text: 'Done: hi.' }
  const delta = shell
    ? { type: 'input_json_delta', partial_json: JSON.stringify(shells[shell]) }
    : { type: 'text_delta', text: 'Done: hi.' }
  const fresh = input - cached
  const usage = {
    ...{ input_tokens: 0, cache_read_input_tokens: cached, cache_creation_input_tokens: fresh },
    output_tokens: 20,
  }
  const stop = { stop_reason: shell ? 'tool_use' : 'end_turn', stop_sequence: null }
  const message = { id: `msg_${index}`, type: 'message', role: 'assistant', model: body.model }
  if (body.stream !== true) return { body: { ...message, content: [block], ...stop, usage } }
  return stream([
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: shell ? { ...block, input: {} } : { type: 'text', text: '' },
    },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ])
}

function responses({ index, body, shell, input, cached }: AgentRequest): Reply {
  const item = shell
    ? {
        ...{ type: 'function_call', id: `fc_${index}`, call_id: `call_${index}`, name: shell },
        ...{ arguments: JSON.stringify(shells[shell]), status: 'completed' },
      }
    : {
        ...{ type: 'message', id: `msg_${index}`, role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: 'Done: hi.', annotations: [] }],
      }
  const response = {
    ...{ id: `resp_${index}`, object: 'response', created_at: 1, model: body.model },
    ...{ status: 'completed', output: [item] },
    usage: {
      ...{ input_tokens: input, input_tokens_details: { cached_tokens: cached } },
      ...{ output_tokens: 20, output_tokens_details: { reasoning_tokens: 0 } },
      total_tokens: input + 20,
    },
  }
  if (body.stream !== true) return { body: response }
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  return stream([
    { type: 'response.created', response: begun },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ])
}

function generateContent({ body, shell, input, cached }: AgentRequest, url: string): Reply {
  const part = shell
    ? { functionCall: { name: shell, args: shells[shell] } }
    : { text: JSON.stringify(body).includes('responseJsonSchema') ? '{}' : 'Done: hi.' }
  const answer = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      ...{ promptTokenCount: input, cachedContentTokenCount: cached },
      ...{ candidatesTokenCount: 20, totalTokenCount: input + 20 },
    },
  }
  return url.includes('stream') ? stream([answer], false) : { body: answer }
}

function chat({ index, body, shell, input, cached }: AgentRequest): Reply {
  const call = {
    ...{ id: `call_${index}`, type: 'function' },
    function: { name: shell, arguments: JSON.stringify(shells[shell ?? '']) },
  }
  const message = shell
    ? { role: 'assistant', content: null, tool_calls: [call] }
    : { role: 'assistant', content: 'Done: hi.' }
  const finish = shell ? 'tool_calls' : 'stop'
  const usage = {
    ...{ prompt_tokens: input, completion_tokens: 20, total_tokens: input + 20 },
    prompt_tokens_details: { cached_tokens: cached },
  }
  const head = { id: `c${index}`, created: 1, model: body.model }
  if (body.stream !== true) {
    const choices = [{ index: 0, message, finish_reason: finish }]
    return { body: { ...head, object: 'chat.completion', choices, usage } }
  }
  const chunk = { ...head, object: 'chat.completion.chunk' }
  const delta = shell ? { ...message, tool_calls: [{ index: 0, ...call }] } : message
  const { headers, chunks = [] } = stream(
    [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
      { ...chunk, choices: [], usage },
    ],
    false,
  )
  return { headers: headers ?? {}, chunks: [...chunks, 'data: [DONE]\n\n'] }
}

const withoutMarks = (key: string, value: unknown): unknown =>
  key === 'cache_control' ? undefined : value

/** A prompt in the order in which a vendor caches it, and the settings without which it isn't the same to it. */
function promptText({
  model,
  tools,
  system,
  instructions,
  systemInstruction,
  ...rest
}: Json): string {
  const turns = rest.messages ?? rest.input ?? rest.contents
  const settings = [rest.thinking, rest.tool_choice, rest.reasoning, rest.reasoning_effort]
  return [model, settings, tools, system ?? instructions ?? systemInstruction, turns]
    .map((part) => JSON.stringify(part, withoutMarks) ?? '')
    .join('\n')
    .replace(/\]$/, '')
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}

/**
 * A vendor for agents in all four formats: it has the agent's shell say hello, then says that it's done. Like a real
 * one it caches prompts by their beginning: a token is four characters.
 */
export function agentVendor(): Handler {
  const prompts: string[] = []
  return (request: RecordedRequest, index: number): Reply => {
    const { method, url } = request
    if (method !== 'POST') return { body: { object: 'list', data: [], models: [] } }
    if (/count_?tokens/i.test(url)) return { body: { input_tokens: 100, totalTokens: 100 } }
    const body = request.json() as Json
    const prompt = promptText(body)
    const shared = Math.max(0, ...prompts.map((one) => sharedLength(one, prompt)))
    prompts.push(prompt)
    const names = Object.keys(shells).filter((name) =>
      JSON.stringify(body.tools ?? '').includes(`"name":"${name}"`),
    )
    const isDone = /"tool_result"|"function_call_output"|"functionResponse"|"role":"tool"/.test(
      prompt,
    )
    const asked: AgentRequest = {
      ...{ index, body, shell: isDone ? null : (names[0] ?? null) },
      input: Math.floor(prompt.length / 4),
      cached: Math.floor(shared / 4 / 64) * 64,
    }
    if (url.includes('/messages')) return messages(asked)
    if (url.includes('/responses')) return responses(asked)
    return url.includes('/chat/') ? chat(asked) : generateContent(asked, url)
  }
}
