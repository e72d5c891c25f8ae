import type { Part } from '../../convert/exchange.ts'
import type { Loss } from '../../convert/loss.ts'
import { type Call, ownerOf } from '../call/call.ts'
import type { ReasoningMemory } from '../memory/reasoning-memory.ts'
import type { ResponseMemory } from '../memory/response-memory.ts'
import { AnswerTranslation } from './answer-translation.ts'
import type { Destination, TranslatedRequest } from './translate-request.ts'

/** The memories that an answer is kept in for later calls. */
export interface TranslationServices {
  reasoning: Pick<ReasoningMemory, 'remember'>
  responses: Pick<ResponseMemory, 'remember'>
}

/** A call whose upstream speaks another wire format than its client: the way back of its answer. */
export class Translation extends AnswerTranslation {
  readonly #call: Call
  readonly #memories: TranslationServices
  readonly #request: TranslatedRequest

  constructor(
    call: Call,
    to: Pick<Destination, 'format' | 'model'>,
    request: TranslatedRequest,
    memories: TranslationServices,
  ) {
    super(call, to, request)
    this.#call = call
    this.#memories = memories
    this.#request = request
  }

  get loss(): Loss {
    return this.#request.loss
  }

  override noteEstimate(): void {
    this.loss.approximate('usage', 'usage_estimated')
  }

  override remember(answer: readonly Part[], id: unknown): void {
    const owner = ownerOf(this.#call)
    this.#memories.reasoning.remember(owner, answer)
    if (this.keepsAnswer && typeof id === 'string') {
      this.#memories.responses.remember(owner, id, this.#request.sent.turns, answer)
    }
  }
}
