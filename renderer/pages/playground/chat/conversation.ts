import type { GatewayClient } from '../../../gateway/client.ts'
import { chatBody } from './chat-body.ts'
import type { ChatSettings, ConversationState, Turn } from './conversation-state.ts'
import { createChatReader } from './read-chat-stream.ts'

const initialState: ConversationState = {
  turns: [],
  settings: { model: null, system: '', temperature: '', maxTokens: '' },
  draft: '',
}

const blankTurn = {
  reasoning: '',
  failure: null,
  usage: null,
  firstToken: null,
  duration: null,
} as const

/** Outlives its page: a reply continues while another page is open. */
export class Conversation {
  #client: GatewayClient
  #state = initialState
  #listeners = new Set<() => void>()
  #cancel: (() => void) | null = null
  #lastId = 0

  constructor(client: GatewayClient) {
    this.#client = client
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): ConversationState => this.#state

  set(fields: Partial<ConversationState>): void {
    this.#state = { ...this.#state, ...fields }
    for (const listener of this.#listeners) listener()
  }

  configure(fields: Partial<ChatSettings>): void {
    this.set({ settings: { ...this.#state.settings, ...fields } })
  }

  clear(): void {
    this.stop()
    this.set({ turns: [] })
  }

  send(text: string): void {
    const turn: Turn = {
      ...blankTurn,
      id: ++this.#lastId,
      role: 'user',
      text,
      state: 'done',
      model: '',
    }
    this.set({ turns: [...this.#state.turns, turn] })
    this.#answer()
  }

  /** Asks again for reply `id` and drops the turns after it. */
  retry(id: number): void {
    this.#cutBefore(id)
    this.#answer()
  }

  /** Sends user turn `id` with another text and drops the turns after it. */
  edit(id: number, text: string): void {
    this.#cutBefore(id)
    this.send(text)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.set({
      turns: this.#state.turns.map((turn) =>
        turn.state === 'streaming' ? { ...turn, state: 'stopped' } : turn,
      ),
    })
  }

  #cutBefore(id: number): void {
    this.stop()
    const index = this.#state.turns.findIndex((turn) => turn.id === id)
    if (index >= 0) this.set({ turns: this.#state.turns.slice(0, index) })
  }

  #answer(): void {
    this.stop()
    const { settings, turns } = this.#state
    const id = ++this.#lastId
    const model = settings.model ?? ''
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    const reply: Turn = { ...blankTurn, id, role: 'assistant', text: '', state: 'streaming', model }
    this.set({ turns: [...turns, reply] })

    const append = (field: 'text' | 'reasoning', delta: string) =>
      this.#change(id, (turn) => ({
        [field]: turn[field] + delta,
        firstToken: turn.firstToken ?? elapsed(),
      }))
    const readEvent = createChatReader({
      onText: (delta) => append('text', delta),
      onReasoning: (delta) => append('reasoning', delta),
      onUsage: (usage) => this.#change(id, () => ({ usage })),
      onEnd: (failure) => {
        this.#change(id, () => ({
          state: failure ? 'failed' : 'done',
          failure,
          duration: elapsed(),
        }))
        this.#cancel = null
      },
    })
    this.#cancel = this.#client.stream('playground.chat', chatBody(settings, turns), readEvent)
  }

  #change(id: number, fields: (turn: Turn) => Partial<Turn>): void {
    // A stopped reply ignores pieces that still arrive.
    this.set({
      turns: this.#state.turns.map((turn) =>
        turn.id === id && turn.state === 'streaming' ? { ...turn, ...fields(turn) } : turn,
      ),
    })
  }
}
