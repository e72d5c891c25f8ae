import type { Part } from '../../convert/exchange.ts'
import type { Loss } from '../../convert/loss.ts'
import { type Call, ownerOf, type RelayParts } from '../call/call.ts'
import { AnswerTranslation } from './answer-translation.ts'
import type { Destination, TranslatedRequest } from './translate-request.ts'

/** A call whose upstream speaks another wire format than its client: the way back of its answer. */
export class Translation extends AnswerTranslation {
  readonly #call: Call
  readonly #parts: RelayParts
  readonly #request: TranslatedRequest

  constructor(
    call: Call,
    to: Pick<Destination, 'format' | 'model'>,
    request: TranslatedRequest,
    parts: RelayParts,
  ) {
    super(call, to, request)
    this.#call = call
    this.#parts = parts
    this.#request = request
  }

  get loss(): Loss {
    return this.#request.loss
  }

  override noteEstimate(): void {
    this.loss.approximate('usage', 'the upstream told none: what the answer tells is estimated')
  }

  override remember(answer: readonly Part[], id: unknown): void {
    const owner = ownerOf(this.#call)
    this.#parts.reasoning.remember(owner, answer)
    if (this.keepsAnswer && typeof id === 'string') {
      this.#parts.responses.remember(owner, id, this.#request.sent.turns, answer)
    }
  }
}
