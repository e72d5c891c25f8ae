import type { GatewayClient } from '../../../../gateway/client.ts'
import { createChatReader } from '../stream/read-chat-stream.ts'
import { splitThought } from '../stream/split-thought.ts'
import type { ToolCall, Turn } from './chat-record.ts'
import type { chatRequest } from './chat-request.ts'

interface ReplyRunOptions {
  client: GatewayClient
  request: ReturnType<typeof chatRequest>
  /** There is something new to show. */
  onChange: () => void
  onEnd: (fields: Partial<Turn>) => void
}

/** Collects one reply while it streams; `fields` is read as often as it is drawn. */
export class ReplyRun {
  readonly #cancel: () => void
  readonly #startedAt = performance.now()
  readonly #calls = new Map<string, ToolCall>()
  #hasNewCalls = false
  #isUnderWay = true
  #fields: Partial<Turn> = {}

  constructor({ client, request, onChange, onEnd }: ReplyRunOptions) {
    const read = createChatReader(request.format ?? 'chat', {
      onCall: (requestId) => {
        this.#fields.requestId = requestId
        onChange()
      },
      onEvent: (event) => {
        if (event.type === 'ending') this.#fields.ending = event.ending
        else if (event.type === 'usage') {
          const { input = null, output = null } = { ...this.#fields.usage, ...event }
          this.#fields.usage = { input, output }
        } else {
          this.#fields.firstToken ??= this.#elapsed()
          if ('goesBack' in event) this.#fields.goesBack = true
          if (event.type === 'call') this.#addCall(event)
          else this.#fields[event.type] = (this.#fields[event.type] ?? '') + event.delta
        }
        onChange()
      },
      onEnd: (failure) => {
        this.#isUnderWay = false
        onEnd({
          ...this.fields,
          state: failure ? 'failed' : 'done',
          failure,
          duration: this.#elapsed(),
        })
      },
    })
    this.#cancel = client.stream('playground.send', request, read)
  }

  get fields(): Partial<Turn> {
    if (this.#hasNewCalls) {
      this.#fields.calls = [...this.#calls.values()].map((call) => ({ ...call }))
      this.#hasNewCalls = false
    }
    return { ...this.#fields, ...this.#told }
  }

  get #told(): Partial<Turn> {
    const { text, reasoning } = this.#fields
    // The vendor has a field for thoughts.
    if (text === undefined || reasoning !== undefined) return {}
    const apart = splitThought(text, this.#isUnderWay)
    return { ...apart, isTagged: apart.reasoning !== '' }
  }

  /** Ends the call at the gateway, and so at its vendor. */
  cancel(): void {
    this.#isUnderWay = false
    this.#cancel()
  }

  #elapsed(): number {
    return performance.now() - this.#startedAt
  }

  #addCall({ key, id, name, delta }: { key: string; id?: string; name?: string; delta: string }) {
    const known = this.#calls.get(key) ?? { id: key, name: '', arguments: '', result: null }
    this.#calls.set(key, {
      ...known,
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      arguments: known.arguments + delta,
    })
    this.#hasNewCalls = true
  }
}
