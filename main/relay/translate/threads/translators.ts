import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { GatewayError } from '../../../base/errors.ts'
import { fillingHeap } from '../../../base/heap/heap-bounds.ts'
import type { Log } from '../../../base/log/log.ts'
import type { AnswerDone, AnswerJob, Done, Job, JobResult, RequestDone, RequestJob } from './job.ts'

/** Threads at the most: each holds a copy of what it converts. */
const MOST_THREADS = 3
/** Milliseconds after which a thread that has nothing to do is ended. */
const IDLE = 5 * 60_000

/**
 * Built, the thread's file stands beside the one that this is part of. From source, in tests and development, it is
 * TypeScript, which a thread has to learn to read first.
 */
function startWorker(): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL(BUILT, import.meta.url), { execArgv: [] })
  }
  const source = JSON.stringify(new URL(SOURCE, import.meta.url).href)
  const load = `import('tsx/esm/api').then(({ register }) => { register(); return import(${source}) })`
  return new Worker(load, { eval: true, execArgv: [] })
}

// Not where they are used: the bundler would take them for files to copy.
const BUILT = './translator.js'
const SOURCE = './worker.ts'

interface Waiting {
  resolve(done: Done | null): void
  reject(error: unknown): void
}

interface Thread {
  worker: Worker
  /** By the job's number. */
  jobs: Map<number, Waiting>
  /** Has ever answered. */
  works: boolean
  idle: NodeJS.Timeout | null
}

/**
 * Threads that translate large requests and answers, so that the gateway's own goes on with other calls meanwhile. Started
 * when they are needed. Where none can be started the gateway does all itself.
 */
export class Translators {
  readonly #log: Log
  readonly #threads = new Set<Thread>()
  readonly #most = Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1))
  #next = 0
  #isUsable = true

  constructor(log: Log) {
    this.#log = log
  }

  /** The translated request; null where this thread has to do it after all. Throws as the translation does. */
  translate(job: Omit<RequestJob, 'id'>): Promise<RequestDone | null> {
    return this.#do(job) as Promise<RequestDone | null>
  }

  /** The translated answer; null where this thread has to do it after all. Throws as the translation does. */
  translateAnswer(job: Omit<AnswerJob, 'id'>): Promise<AnswerDone | null> {
    return this.#do(job) as Promise<AnswerDone | null>
  }

  close(): void {
    this.#isUsable = false
    for (const thread of this.#threads) void thread.worker.terminate()
  }

  #do(job: Omit<RequestJob, 'id'> | Omit<AnswerJob, 'id'>): Promise<Done | null> {
    if (!this.#isUsable) return Promise.resolve(null)
    const done = new Promise<Done | null>((resolve, reject) => {
      const id = this.#next++
      const thread = this.#free()
      thread.jobs.set(id, { resolve, reject })
      if (thread.idle) clearTimeout(thread.idle)
      thread.idle = null
      thread.worker.postMessage({ ...job, id } satisfies Job, [job.bytes.buffer])
    })
    return fillingHeap(done)
  }

  /** The one with the least to do; another is started while all have something. */
  #free(): Thread {
    const [first] = [...this.#threads].sort((one, other) => one.jobs.size - other.jobs.size)
    return first && (first.jobs.size === 0 || this.#threads.size >= this.#most)
      ? first
      : this.#start()
  }

  #start(): Thread {
    const worker = startWorker()
    const thread: Thread = { worker, jobs: new Map(), works: false, idle: null }
    this.#threads.add(thread)
    worker.unref()
    worker.on('message', (result: JobResult) => this.#take(result, thread))
    worker.on('error', (error) => this.#lose(thread, error))
    worker.on('exit', () => this.#lose(thread, new Error('The thread has ended.')))
    return thread
  }

  #take(result: JobResult, thread: Thread): void {
    thread.works = true
    const waiting = thread.jobs.get(result.id)
    thread.jobs.delete(result.id)
    if (thread.jobs.size === 0) {
      thread.idle = setTimeout(() => void thread.worker.terminate(), IDLE).unref()
    }
    if (!('failure' in result)) waiting?.resolve(result)
    else if ('stack' in result.failure) waiting?.reject(new Error(result.failure.stack))
    else waiting?.reject(new GatewayError(result.failure.code, result.failure))
  }

  /** Ends the jobs of a thread that has ended. One that never worked is no reason to refuse a call. */
  #lose(thread: Thread, error: Error): void {
    if (!this.#threads.delete(thread)) return
    if (thread.idle) clearTimeout(thread.idle)
    if (!thread.works && this.#isUsable) {
      this.#isUsable = false
      this.#log.warn({ err: error }, 'large bodies are translated without a thread of their own')
    }
    for (const { resolve, reject } of thread.jobs.values()) {
      if (thread.works) reject(error)
      else resolve(null)
    }
    thread.jobs.clear()
  }
}
