/** A list as it was put into words last, and the byte of the whole text at which each record begins. */
interface KnownList {
  records: readonly object[]
  starts: readonly number[]
}

const NOTHING: KnownList = { records: [], starts: [] }
const SEPARATOR = ',\n'
/** Bytes that a text may grow before it needs new memory. */
const ROOM = 65_536

/**
 * The text of the state file: JSON with two blanks a level, as JSON.stringify makes it. Records that are the
 * same objects as the last time are copied from the last text, in runs, so that one change among thousands
 * costs little; they must not have been changed in place.
 */
export class StateText {
  private last: Buffer = Buffer.from(new ArrayBuffer(0))
  /** The memory of the text before the last: taking and clearing new memory costs more than copying. */
  private spare: Buffer = Buffer.from(new ArrayBuffer(0))
  private lists = new Map<string, KnownList>()

  /** The bytes are good until the call after the next one. */
  of(data: object): Buffer {
    const pieces = new Pieces()
    const lists = new Map<string, KnownList>()
    pieces.add('{')
    let isFirst = true
    for (const [name, value] of Object.entries(data)) {
      if (value === undefined) continue
      pieces.add(`${isFirst ? '\n' : SEPARATOR}  ${JSON.stringify(name)}: `)
      if (isListOfRecords(value)) lists.set(name, this.addList(pieces, name, value))
      else pieces.add(indented(value, '  '))
      isFirst = false
    }
    pieces.add(isFirst ? '}\n' : '\n}\n')
    const text = pieces.into(this.spare)
    this.spare = this.last
    this.last = text
    this.lists = lists
    return this.last
  }

  private addList(pieces: Pieces, name: string, records: readonly object[]): KnownList {
    const known = this.lists.get(name) ?? NOTHING
    const places = new Places(known.records)
    const starts: number[] = []
    // Known records that follow one another: `to` is the first one behind them.
    let [from, to] = [0, 0]
    const copyRun = (): void => {
      if (from < to) pieces.addBytes(this.last.subarray(known.starts[from], known.starts[to]))
    }

    pieces.add('[\n')
    let position = pieces.length
    for (const [index, record] of records.entries()) {
      starts.push(position)
      const place = places.find(record, to)
      const start = known.starts[place]
      const end = known.starts[place + 1]
      // No separator follows the last one, neither here nor in the text it would be copied from.
      if (start === undefined || end === undefined || index === records.length - 1) {
        copyRun()
        to = (place < 0 ? to : place) + 1
        from = to
        pieces.add(`    ${indented(record, '    ')}${SEPARATOR}`)
        position = pieces.length
        continue
      }
      if (place !== to) {
        copyRun()
        from = place
      }
      to = place + 1
      position += end - start
    }
    pieces.cut(SEPARATOR.length)
    pieces.add('\n  ]')
    return { records, starts }
  }
}

/** Finds where a record stood before, mostly right behind the one that was found last. */
class Places {
  private readonly records: readonly object[]
  private byRecord: Map<object, number> | undefined

  constructor(records: readonly object[]) {
    this.records = records
  }

  /** -1 for a record that was not there. */
  find(record: object, expected: number): number {
    if (this.records[expected] === record) return expected
    this.byRecord ??= new Map(this.records.map((one, index) => [one, index]))
    return this.byRecord.get(record) ?? -1
  }
}

/** A text under construction, counted in bytes. */
class Pieces {
  length = 0
  private readonly parts: Buffer[] = []

  add(text: string): void {
    this.addBytes(Buffer.from(text))
  }

  addBytes(bytes: Buffer): void {
    this.parts.push(bytes)
    this.length += bytes.length
  }

  /** Takes bytes from the end, at most those that were added last. */
  cut(length: number): void {
    const last = this.parts.pop() ?? Buffer.alloc(0)
    this.parts.push(last.subarray(0, last.length - length))
    this.length -= length
  }

  /** The whole, in the given memory when that is large enough. */
  into({ buffer }: Buffer): Buffer {
    const memory = buffer.byteLength < this.length ? new ArrayBuffer(this.length + ROOM) : buffer
    const whole = Buffer.from(memory, 0, this.length)
    let position = 0
    for (const part of this.parts) position += part.copy(whole, position)
    return whole
  }
}

const isListOfRecords = (value: unknown): value is object[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === 'object' && item !== null)

/** JSON has no line breaks but those between its parts: in texts they are escaped. */
const indented = (value: unknown, indent: string): string =>
  JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${indent}`)
