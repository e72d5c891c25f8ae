import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createDraft, enableArrayMethods, finishDraft } from 'immer'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Why } from '../../base/reason.ts'
import { StartError } from '../folder/start-error.ts'
import { changeProblem, describe } from './state-check.ts'
import { type StateData, stateSchema } from './state-schema.ts'

export type {
  KeyState,
  StateData,
  StoredChannel,
  StoredRoute,
  StoredSession,
  StoredToken,
  StoredTwoFactor,
  StoredUser,
  TestResult,
} from './state-schema.ts'

/** The file under the state: conf headless, electron-store in the desktop. */
export interface StateFile {
  readonly path: string
  /** Replaces the whole file at once with mode 0600, or throws and leaves it as it was. */
  write(data: object): void
}

/** Settings, users, channels, tokens and sessions: one copy in memory over one file. */
export interface State {
  /** Frozen; a new object after every change. */
  readonly data: Readonly<StateData>
  /**
   * Changes a draft, writes it, and only then makes it the current data, in which all that was not changed
   * is the same object as before. When writing fails it throws `storage_failed` and nothing has changed.
   * No part of the draft may be returned; callbacks of `find` and `filter` get what is stored, to read only.
   */
  update<Result>(change: (draft: StateData) => Result): Result
  /**
   * All changes that `run` makes by `update`, written as one at its end. When it throws, or writing fails,
   * nothing has changed. It must not wait for anything.
   */
  together<Result>(run: () => Result): Result
  /** Calls the listener after every change; returns what ends that. */
  onChange(listener: () => void): () => void
  /** Why the last change could not be written, since when (unix seconds); null once one was. */
  readonly problem: { reason: string; why: Why; since: number } | null
  /** After a change that could not be written: tries whether writing works again. */
  retry(): void
  /** Calls the listener when writing begins to fail, and when it is well again; returns what ends that. */
  onProblem(listener: () => void): () => void
}

/** Changes data of version `index + 1` into the next version, in place. */
export type Migration = (data: Record<string, unknown>) => void

const migrations: readonly Migration[] = []

// Looking for one record among thousands must not make a draft of each.
enableArrayMethods()

/**
 * Reads the state file, or begins one. A file that is corrupt, wrong or from a newer version throws
 * StartError and is left byte for byte as it was; it is read here rather than by conf, which would
 * replace what it cannot parse. Before a migration the old file is copied to `state.v<N>.json`.
 */
export function openState(file: StateFile, steps: readonly Migration[] = migrations): State {
  const listeners = new Set<() => void>()
  const problemListeners = new Set<() => void>()
  let problem: State['problem'] = null
  let changing = false
  let isTogether = false
  let data = load(file, steps)

  /** Writes, or throws `storage_failed`; says when that changes. */
  const save = (changed: StateData): void => {
    const before = problem
    try {
      write(file, changed)
      problem = null
    } catch (error) {
      const { message } = error as Error
      const why = (error instanceof GatewayError && error.reason) || message
      problem = { reason: message, why, since: before?.since ?? unixSeconds() }
      throw error
    } finally {
      if ((before === null) !== (problem === null))
        for (const listener of problemListeners) listener()
    }
  }

  const checkAndSave = (before: StateData, changed: StateData): void => {
    // A value that could not be read again must never reach the file.
    const wrong = changeProblem(before, changed)
    if (wrong) throw new Error(`A change of the state is wrong: ${wrong}`)
    save(changed)
  }

  return {
    get data() {
      return data
    },
    get problem() {
      return problem
    },

    update(change) {
      if (changing) throw new Error('A change of the state began inside another one.')
      changing = true
      let result: ReturnType<typeof change>
      let changed: StateData
      try {
        const draft = createDraft(data)
        result = change(draft)
        changed = finishDraft(draft)
        if (changed === data) return result
        if (!isTogether) checkAndSave(data, changed)
      } finally {
        changing = false
      }
      data = changed
      if (!isTogether) for (const listener of listeners) listener()
      return result
    },

    together(run) {
      if (isTogether || changing) throw new Error('Changes of the state began inside others.')
      const before = data
      isTogether = true
      let result: ReturnType<typeof run>
      try {
        result = run()
        if (data !== before) checkAndSave(before, data)
      } catch (error) {
        data = before
        throw error
      } finally {
        isTogether = false
      }
      if (data !== before) for (const listener of listeners) listener()
      return result
    },

    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    retry() {
      if (problem === null) return
      try {
        save(data)
      } catch {
        // The problem says it.
      }
    },

    onProblem(listener) {
      problemListeners.add(listener)
      return () => void problemListeners.delete(listener)
    },
  }
}

function load(file: StateFile, steps: readonly Migration[]): StateData {
  const version = steps.length + 1
  const text = readText(file.path)
  if (text === null) {
    const fresh: StateData = freeze(stateSchema.parse({ version }))
    startWrite(file, fresh)
    return fresh
  }

  const stored = parse(file.path, text)
  const from = stored.version
  if (typeof from !== 'number' || !Number.isInteger(from) || from < 1) {
    throw broken(file.path, 'it has no "version"')
  }
  if (from > version) {
    throw new StartError(
      `${file.path} was written by a newer Switchyard (its version is ${from}, this one knows up to ${version}). Install the newer Switchyard, or start with another folder (--data-dir). The file was not changed.`,
      { problem: 'it was made by a newer Switchyard; install that one first' },
    )
  }
  for (let step = from; step < version; step++) steps[step - 1]?.(stored)
  stored.version = version

  const checked = stateSchema.safeParse(stored)
  if (!checked.success) throw broken(file.path, describe(checked.error))
  const data: StateData = checked.data
  keepIdsUnused(data)
  freeze(data)
  if (from < version) {
    keepCopy(file.path, from, text)
    startWrite(file, data)
  }
  return data
}

/** The file's text without a byte order mark, which editors on Windows add; null when there is none. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new StartError(
      `${path} cannot be read (${code ?? message}). Make it a file that this user can read and write, then start again.`,
      { cause: error },
    )
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch (error) {
    throw broken(path, `it is not JSON: ${(error as Error).message}`, error)
  }
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    throw broken(path, 'it does not hold a JSON object')
  }
  return stored as Record<string, unknown>
}

function broken(path: string, what: string, cause?: unknown): StartError {
  return new StartError(
    `${path} cannot be used: ${what}. Repair it, put a copy of it back, or move it away to begin anew. The file was not changed.`,
    { problem: `its ${basename(path)} cannot be used: ${what}`, cause },
  )
}

/** A file edited by hand may hold ids that were not drawn from `nextId`. */
function keepIdsUnused(data: StateData): void {
  const after = (records: { id: number }[], next: number) =>
    records.reduce((highest, { id }) => Math.max(highest, id + 1), next)
  data.nextId.user = after(data.users, data.nextId.user)
  data.nextId.channel = after(data.channels, data.nextId.channel)
  data.nextId.token = after(data.tokens, data.nextId.token)
  data.nextId.route = after(data.routes, data.nextId.route)
}

function keepCopy(path: string, version: number, text: string): void {
  const copy = join(dirname(path), basename(path).replace(/(\.json)?$/, `.v${version}.json`))
  try {
    writeFileSync(copy, text, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // The copy of an earlier attempt holds the same file.
    if (code === 'EEXIST') return
    throw new StartError(
      `${copy}, the copy of the state before it is brought up to date, cannot be written (${code ?? message}). Make room or make the folder writable, then start again.`,
      { cause: error },
    )
  }
}

function startWrite(file: StateFile, data: StateData): void {
  try {
    file.write(data)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartError(
      `${file.path} cannot be written (${code ?? message}). Make room on the disk or make the folder writable for this user, then start again.`,
      { cause: error },
    )
  }
}

function write(file: StateFile, data: StateData): void {
  try {
    file.write(data)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new GatewayError('storage_failed', {
      message: `Nothing was saved: ${file.path} cannot be written (${code ?? message}). Make room on the disk or make the folder writable, then try again.`,
      cause: error,
      reason: { code: 'state_unwritable', path: file.path, problem: String(code ?? message) },
    })
  }
}

/** The data handed out is the only copy, so a change that bypasses `update` must fail at once. */
function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) freeze(part)
  }
  return value
}
