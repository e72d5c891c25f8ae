import type { OperationInput, StreamName } from '../../../../preload/contract.ts'
import type { GatewayClient } from '../../../gateway/client.ts'
import { type AnswerEnd, collectAnswer } from '../../../gateway/collect-answer.ts'
import type { ChatStore } from '../chat/desk/chat-store.ts'
import { type AnswerFailure, noAnswer, readRefusal, requestIdOf } from './answer-failure.ts'
import { type BookedFigures, bookedFigures } from './booked-figures.ts'
import type { Task, UsageFigure } from './task.ts'

export interface TaskState<Draft, Result> {
  /** The form; no result changes it. */
  draft: Draft
  phase: 'blank' | 'running' | 'stopped' | 'failed' | 'done'
  failure: AnswerFailure | null
  result: Result | null
  usage: readonly UsageFigure[]
  /** Milliseconds from request to end of answer; null until then. */
  duration: number | null
  /** Request id of the call; null until it is answered. */
  requestId: string | null
  booked: BookedFigures | null
  /** The browser has no room left to keep the form. */
  isUnsaved: boolean
}

const noOutcome = {
  ...{ failure: null, result: null, usage: [], duration: null },
  ...{ requestId: null, booked: null },
} as const

/** Holds a task's form and result. Outlives its page, as a conversation does; the form is kept on this computer. */
export class TaskRunner<Name extends StreamName, Draft extends object, Result> {
  #client: GatewayClient
  #task: Task<Name, Draft, Result>
  #state: TaskState<Draft, Result>
  #listeners = new Set<() => void>()
  #cancel: (() => void) | null = null
  #store: ChatStore | null = null
  /** Tells the current run from one that was stopped. */
  #run = 0

  constructor(client: GatewayClient, task: Task<Name, Draft, Result>) {
    this.#client = client
    this.#task = task
    this.#state = { draft: task.blank, phase: 'blank', ...noOutcome, isUnsaved: false }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): TaskState<Draft, Result> => this.#state

  /** Goes on with the form that was kept, less what was typed until it was read. */
  async keepIn(store: ChatStore): Promise<void> {
    if (this.#store) return
    this.#store = store
    // Opening the store takes a moment, and the form may be filled by then.
    if (this.#state.draft !== this.#task.blank) this.#save()
    const kept = await store.form(this.#task.operation)
    if (this.#state.draft === this.#task.blank) {
      this.#change({ draft: { ...this.#task.blank, ...kept } })
    }
  }

  fill(fields: Partial<Draft>): void {
    this.#change({ draft: { ...this.#state.draft, ...fields } })
    this.#save()
  }

  #save(): void {
    const tell = (isUnsaved: boolean) => () => {
      if (this.#state.isUnsaved !== isUnsaved) this.#change({ isUnsaved })
    }
    this.#store?.saveForm(this.#task.operation, this.#state.draft).then(tell(false), tell(true))
  }

  /** Runs the form's request on `model`; an earlier run is stopped. */
  run(model: string): void {
    const { draft } = this.#state
    if (!this.#task.isReady(draft)) return
    this.#leave()
    this.#change({ phase: 'running', ...noOutcome })
    void this.#ask(model, draft, performance.now())
  }

  stop(): void {
    if (this.#state.phase !== 'running') return
    this.#leave()
    this.#change({ phase: 'stopped' })
  }

  #leave(): void {
    this.#run++
    this.#cancel?.()
    this.#cancel = null
  }

  #change(fields: Partial<TaskState<Draft, Result>>): void {
    this.#state = { ...this.#state, ...fields }
    for (const listener of this.#listeners) listener()
  }

  async #ask(model: string, draft: Draft, startedAt: number, isSecond = false): Promise<void> {
    const run = this.#run
    const input = await this.#inputOf(model, draft)
    if (run !== this.#run) return
    if (input === null) {
      this.#fail({ problem: 'cut', ...noAnswer })
      return
    }
    const onEnd = (end: AnswerEnd) => {
      if (run !== this.#run) return
      this.#cancel = null
      if ('answer' in end) this.#lookUp(requestIdOf(end.answer.headers), run)
      const failure = failureOf(end)
      const other = failure && !isSecond ? this.#task.instead?.(draft, failure) : null
      if (other) void this.#ask(model, other, startedAt, true)
      else if (failure) this.#fail(failure)
      else this.#succeed(end, draft, performance.now() - startedAt)
    }
    this.#cancel = this.#client.stream(this.#task.operation, input, collectAnswer(onEnd))
  }

  /** Null when a file can't be read. */
  async #inputOf(model: string, draft: Draft): Promise<OperationInput<Name> | null> {
    try {
      return await this.#task.input(model, draft)
    } catch {
      return null
    }
  }

  #succeed(end: AnswerEnd, draft: Draft, duration: number): void {
    if (!('answer' in end)) return
    const { answer } = end
    try {
      const result = this.#task.read(answer, draft)
      this.#change({ phase: 'done', result, usage: this.#task.usage(answer), duration })
    } catch {
      const requestId = requestIdOf(answer.headers)
      const facts = { message: null, status: answer.status, code: null, requestId }
      this.#fail({ problem: 'unreadable', ...facts })
    }
  }

  /** Its channel and cost stand in the log once it is booked. */
  #lookUp(requestId: string | null, run: number): void {
    if (requestId === null) return
    this.#change({ requestId })
    void bookedFigures(this.#client, requestId).then((booked) => {
      if (run === this.#run && requestId === this.#state.requestId) this.#change({ booked })
    })
  }

  #fail(failure: AnswerFailure): void {
    this.#change({ phase: 'failed', failure })
  }
}

function failureOf(end: AnswerEnd): AnswerFailure | null {
  if ('broken' in end) {
    const { broken: message, status } = end
    return { problem: 'cut', message, status, code: null, requestId: null }
  }
  const { status, headers, bytes } = end.answer
  if (status < 400) return null
  const refusal = readRefusal(new TextDecoder().decode(bytes))
  return { problem: 'refused', ...refusal, status, requestId: requestIdOf(headers) }
}
