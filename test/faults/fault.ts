import type { WireFormat } from '../../main/convert/exchange.ts'
import type { RawExchange } from './raw-upstream.ts'
import type { VendorAnswer } from './vendor-answer.ts'

/** Where a fault happens: what the client calls with, what the upstream speaks. */
export interface Scene {
  client: WireFormat
  upstream: WireFormat
  stream: boolean
  /** The upstream streams one JSON array, as Google does when nobody asks for events. */
  asArray: boolean
  /** The upstream's answer if there were no fault. */
  answer: VendorAnswer
  /** Resolves when the client has heard of the answer, or not much later. */
  hasBegun(): Promise<void>
}

/** The required outcome of a call to the one channel that has the fault. */
export type Expected =
  /** It harms nothing: the answer comes, whole. */
  | { kind: 'answer' }
  /** No answer; the client gets an error, or another channel is asked. */
  | {
      kind: 'fails'
      /** Another channel is asked where there is one. */
      isRetried: boolean
      /** Any of these, where there is no other channel. */
      status: readonly number[]
      /** The client can read this. */
      says?: string
      /** Seconds that the client is told to wait, from and to. */
      wait?: readonly [number, number]
      /** A retry cannot help: the owner has to fix it. */
      isFinal?: boolean
    }
  /** The answer had begun: it ends with the client's own kind of error, and not as if it were whole. */
  | { kind: 'cut'; says?: string }

/** The addresses at which the scripted upstreams stand. */
export interface Places {
  /** Plays what the cell says. */
  plain: string
  /** The same with a certificate that nobody has signed. */
  tls: string
  /** Takes connections and never says a word. */
  silent: string
  /** Nothing listens there. */
  closed: string
}

export interface Fault {
  name: string
  /** Whole answers or streams only; both when left out. */
  only?: 'whole' | 'stream'
  /** Not for a stream that is one JSON array, in which one item may well be of any length. */
  exceptArray?: true
  /** Upstreams of one wire format only. */
  upstream?: WireFormat
  /** In place of `Places.plain`. */
  place?(places: Places): string
  /** Plays the fault in answer to the call. */
  play(exchange: RawExchange, scene: Scene): void | Promise<void>
  expected(scene: Scene): Expected
  /** Time limits of the channel, in seconds, by their names in its settings. */
  limits?: Readonly<Record<string, number>>
  /** The most output tokens that may be counted for the part before a cut; 1000 when left out. */
  mostCounted?: number
  /** Hundreds of megabytes: such cells run one after the other. */
  isHeavy?: true
}

/** Refused or broken before anything went to the client. */
export const fails = (
  status: number | readonly number[],
  more: Omit<Extract<Expected, { kind: 'fails' }>, 'kind' | 'status' | 'isRetried'> & {
    isRetried?: boolean
  } = {},
): Expected => ({
  kind: 'fails',
  isRetried: true,
  ...more,
  status: typeof status === 'number' ? [status] : status,
})

/** The client's status for an upstream's status (wire-formats 1.6). */
export function toldStatus({ client, upstream }: Scene, status: number): number[] {
  if (status === 401 || status === 403) return [502]
  if (client === upstream) return client === 'messages' ? [status] : [status, ...to503(status)]
  if (client === 'messages') return [status === 503 ? 529 : status]
  return status === 529 ? [503] : [status]
}

const to503 = (status: number): number[] => (status === 529 ? [503] : [])
