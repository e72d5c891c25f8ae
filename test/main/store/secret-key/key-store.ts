import type { KeyWrap, LockReason, Unwrapped } from '../../../../main/store/secret-key/key-wrap.ts'

/** A key store in memory that knows one mask, as an operating system knows one user's key. */
export interface KeyStore extends KeyWrap {
  /** Wraps from now on with this; keys wrapped by other masks cannot be opened. */
  mask: number
  /** A further mask that it can open, and asks to have wrapped anew. */
  before: number | null
  /** Why it gives nothing at present; `throws`: it fails in a way that nobody has foreseen. */
  refusal: Exclude<LockReason, 'waiting'> | 'throws' | null
  /** Is there none that protects anything? */
  isMissing: boolean
  /** Every answer waits for this, as for the user. */
  answers: Promise<void> | null
  /** It cannot open what it seals. */
  isForgetful: boolean
  /** How often it was asked to open something. */
  asked: number
}

export function createKeyStore(mask = 7): KeyStore {
  const store: KeyStore = {
    mask,
    before: null,
    refusal: null,
    isMissing: false,
    answers: null,
    isForgetful: false,
    asked: 0,

    async wrap(key) {
      await store.answers
      if (store.refusal) throw new Error('refused')
      if (store.isMissing) return null
      const used = store.isForgetful ? store.mask ^ 0x80 : store.mask
      return { by: 'test_store', data: Buffer.from([used, ...key.map((byte) => byte ^ used)]) }
    },

    async unwrap({ data }): Promise<Unwrapped> {
      store.asked++
      await store.answers
      if (store.refusal === 'throws') throw new Error('refused')
      if (store.refusal) return { reason: store.refusal }
      const [used = -1, ...rest] = data
      if (used !== store.mask && used !== store.before) return { reason: 'foreign' }
      return {
        key: Buffer.from(rest.map((byte) => byte ^ used)),
        isOutdated: used === store.before,
      }
    },
  }
  return store
}
