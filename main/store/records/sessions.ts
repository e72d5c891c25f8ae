import { createHash } from 'node:crypto'
import { unixSeconds } from '../../base/clock.ts'
import type { State, StoredSession } from '../state/state.ts'

/** A signed-in browser. */
export interface Session {
  /** The secret in the cookie; only its hash is kept. */
  id: string
  /** 0 = nobody yet. */
  userId: number
  /** `pendingUserId` in it is a login that still waits for its second factor. */
  data: Record<string, unknown>
  /** Unix seconds. */
  expiresAt: number
}

/** A session as its user may see it: with the beginning of its hash, which opens nothing. */
export interface SeenSession extends Omit<Session, 'id'> {
  seenId: string
}

export interface Sessions {
  /** undefined for an unknown or expired one. */
  get(id: string): Session | undefined
  put(session: Session): void
  remove(id: string): void
  /** Sessions in which the user is signed in. */
  ofUser(userId: number): SeenSession[]
  /** Id of the session as `ofUser` gives it. */
  seenId(id: string): string
  /** Ends one of a user's; false when there is none. */
  removeSeen(userId: number, seenId: string): boolean
  /** Ends all sessions of a user, and logins half done, but for the one given; returns how many. */
  removeOfUser(userId: number, exceptId?: string): number
  removeExpired(): void
}

/** Is it one of the user's, or a login of the user's half done? Never so for the session of `exceptId`. */
export function isSessionOf(
  userId: number,
  exceptId?: string,
): (session: Pick<StoredSession, 'idHash' | 'userId' | 'data'>) => boolean {
  const except = exceptId === undefined ? '' : hash(exceptId)
  return ({ idHash, userId: owner, data }) =>
    (owner === userId || data.pendingUserId === userId) && idHash !== except
}

/** Every request moves a session's end a little; the file is not written for less than this. */
const WORTH_WRITING_SECONDS = 300

/** The sessions of a state. A copy of the file lets nobody in, since it holds only hashes. */
export function createSessions(state: State): Sessions {
  let read: unknown
  let byHash = new Map<string, StoredSession>()

  const current = (): Map<string, StoredSession> => {
    if (state.data.sessions !== read) {
      byHash = new Map(state.data.sessions.map((session) => [session.idHash, session]))
      read = state.data.sessions
    }
    return byHash
  }

  const keep = (wanted: (session: StoredSession) => boolean): number => {
    const { sessions } = state.data
    const kept = sessions.filter(wanted).length
    if (kept === sessions.length) return 0
    state.update((draft) => {
      draft.sessions = draft.sessions.filter(wanted)
    })
    return sessions.length - kept
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

    ofUser(userId) {
      const now = unixSeconds()
      return state.data.sessions
        .filter((session) => session.userId === userId && session.expiresAt > now)
        .map(({ idHash, data, expiresAt }) => ({
          seenId: seen(idHash),
          ...{ userId, expiresAt },
          data: structuredClone(data),
        }))
    },

    seenId: (id) => seen(hash(id)),

    removeSeen(userId, seenId) {
      return keep((session) => session.userId !== userId || seen(session.idHash) !== seenId) > 0
    },

    removeOfUser(userId, exceptId) {
      const isTheirs = isSessionOf(userId, exceptId)
      return keep((session) => !isTheirs(session))
    },

    removeExpired() {
      const now = unixSeconds()
      keep((session) => session.expiresAt > now)
    },
  }
}

const SEEN_LENGTH = 16

const seen = (idHash: string): string => idHash.slice(0, SEEN_LENGTH)

const hash = (id: string): string => createHash('sha256').update(id).digest('hex')
