import { scanSlowly } from './scan-json-slowly.ts'
import { AT, fillTables, KEPT, STATE, WINDOW } from './scan-json-tables.ts'
import { SCAN_JSON_WASM } from './scan-json-wasm.ts'

/** The scanner of a window's bytes, and its memory. */
interface Machine {
  memory: Uint8Array
  tokens: Uint16Array
  kept: Int32Array
  /** Number of tokens found in the first `end` bytes, or -1 - index of the first byte that cannot stand there. */
  scan(end: number): number
}

function machineOf(memory: Uint8Array, scan: Machine['scan']): Machine {
  fillTables(memory)
  const tokens = new Uint16Array(memory.buffer, AT.tokens, WINDOW)
  return { memory, tokens, kept: new Int32Array(memory.buffer, AT.kept, KEPT.words), scan }
}

function makeMachine(): Machine {
  try {
    const module = new WebAssembly.Module(Buffer.from(SCAN_JSON_WASM, 'base64'))
    const { exports } = new WebAssembly.Instance(module)
    const { memory } = exports as { memory: WebAssembly.Memory }
    return machineOf(new Uint8Array(memory.buffer), exports.scan as Machine['scan'])
  } catch {
    // A processor without vectors of sixteen bytes.
    const memory = new Uint8Array(AT.end)
    return machineOf(memory, (end) => scanSlowly(memory, end))
  }
}

let made: Machine | undefined

function machineHere(): Machine {
  made ??= makeMachine()
  return made
}

/** The scanner whose state the machine holds. */
let current: JsonScan | null = null

const BEGINNING = new Int32Array(KEPT.words)
BEGINNING[KEPT.state] = STATE.start

/**
 * Goes through a JSON object, in bytes that come in pieces, by RFC 8259: no comments, no commas too many, no
 * control characters in strings, no more behind it. Whether its strings are UTF-8 is not looked at. All of them
 * share one machine; what one has seen so far is put aside while another one's bytes are looked at.
 */
export class JsonScan {
  #kept: Int32Array = BEGINNING
  #open: Uint8Array | null = null
  #state: number = STATE.start
  readonly #machine = machineHere()

  /**
   * Looks at the next bytes, at most WINDOW. Gives how many tokens `tokenAt` knows of then: all of the object
   * itself, and the first of each array in it. Below 0: -1 - index of the first byte that cannot stand where it
   * does.
   */
  take(bytes: Uint8Array): number {
    const { memory, kept, scan } = this.#machine
    if (current !== this) {
      if (current) current.#putAside()
      current = this
      kept.set(this.#kept)
      if (this.#open) memory.set(this.#open, AT.open)
    }
    memory.set(bytes)
    return scan(bytes.length)
  }

  /** Index of a token among the bytes taken last. */
  tokenAt(index: number): number {
    return this.#machine.tokens[index] as number
  }

  /** Did the bytes taken last, perhaps, hold one that is none of ASCII? */
  get wasBeyondAscii(): boolean {
    return this.#machine.kept[KEPT.beyondAscii] !== 0
  }

  /** One of `STATE`: what is expected next. */
  get state(): number {
    return current === this ? (this.#machine.kept[KEPT.state] as number) : this.#state
  }

  /** No more is taken; nothing but `state` can be asked for from now on. */
  end(): void {
    if (current !== this) return
    this.#state = this.#machine.kept[KEPT.state] as number
    current = null
  }

  #putAside(): void {
    const { memory, kept } = this.#machine
    this.#kept = kept.slice()
    this.#state = kept[KEPT.state] as number
    this.#open = memory.slice(AT.open, AT.open + (kept[KEPT.depth] as number))
  }
}
