import { createHash } from 'node:crypto'
import { unixSeconds } from '../base/clock.ts'
import type { State, StoredSession } from './state.ts'

/** A signed-in browser. */
export interface Session {
  /** The secret in the cookie; only its hash is kept. */
  id: string
  /** 0 = nobody yet. */
  userId: number
  data: Record<string, unknown>
  /** Unix seconds. */
  expiresAt: number
}

export interface Sessions {
  /** undefined for an unknown or expired one. */
  get(id: string): Session | undefined
  put(session: Session): void
  remove(id: string): void
  /** Ends all sessions of a user, but for the one given. */
  removeOfUser(userId: number, exceptId?: string): void
  removeExpired(): void
}

/** Every request moves a session's end a little; the file is not written for less than this. */
const WORTH_WRITING_SECONDS = 300

/** The sessions of a state. A copy of the file lets nobody in, since it holds only hashes. */
export function createSessions(state: State): Sessions {
  let seen: unknown
  let byHash = new Map<string, StoredSession>()

  const current = (): Map<string, StoredSession> => {
    if (state.data.sessions !== seen) {
      byHash = new Map(state.data.sessions.map((session) => [session.idHash, session]))
      seen = state.data.sessions
    }
    return byHash
  }

  const keep = (wanted: (session: StoredSession) => boolean): void => {
    if (state.data.sessions.every(wanted)) return
    state.update((draft) => {
      draft.sessions = draft.sessions.filter(wanted)
    })
  }

  return {
    get(id) {
      const stored = current().get(hash(id))
      if (!stored || stored.expiresAt <= unixSeconds()) return undefined
      const { userId, expiresAt } = stored
      return { id, userId, data: structuredClone(stored.data), expiresAt }
    },

    put({ id, userId, data, expiresAt }) {
      const idHash = hash(id)
      const before = current().get(idHash)
      if (
        before &&
        before.userId === userId &&
        Math.abs(expiresAt - before.expiresAt) < WORTH_WRITING_SECONDS &&
        JSON.stringify(before.data) === JSON.stringify(data)
      ) {
        return
      }
      const now = unixSeconds()
      state.update((draft) => {
        draft.sessions = draft.sessions.filter(
          (session) => session.idHash !== idHash && session.expiresAt > now,
        )
        draft.sessions.push({ idHash, userId, data: structuredClone(data), expiresAt })
      })
    },

    remove(id) {
      const idHash = hash(id)
      keep((session) => session.idHash !== idHash)
    },

    removeOfUser(userId, exceptId) {
      const except = exceptId === undefined ? '' : hash(exceptId)
      keep((session) => session.userId !== userId || session.idHash === except)
    },

    removeExpired() {
      const now = unixSeconds()
      keep((session) => session.expiresAt > now)
    },
  }
}

const hash = (id: string): string => createHash('sha256').update(id).digest('hex')
