import { EventScanner } from '../../events/event-scanner.ts'
import type { Usage } from '../../exchange.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { asCount, asObject } from '../../json/json-value.ts'
import { eventForm } from '../event-form.ts'
import { readImageTokens, withImages } from './image-usage.ts'

/** How the events of an endpoint's stream begin: `image_generation.completed`. */
type ImageEvents = 'image_generation' | 'image_edit'

/**
 * The scanner of a stream of pictures (https://platform.openai.com/docs/api-reference/images-streaming). What
 * is only partly drawn is passed on and never parsed.
 */
export class ImageScanner extends EventScanner {
  readonly #completed: Buffer
  #images = 0

  constructor(events: ImageEvents, request?: JsonFields) {
    const last = `${events}.completed`
    const form = eventForm(
      last,
      (event) => readImageTokens(asObject(event)?.usage),
      () => '',
    )
    const asked = (request?.kind('n') === 'number' && asCount(request.get('n'))) || 1
    let drawn = 0
    // No event names a model.
    super(
      // Several pictures have an event each: the last of them is the end. Of a form the number is not known here.
      { ...form, isTerminalLine: (line) => form.isTerminalLine(line) && ++drawn >= asked },
      { withholdUsage: false, showModel: null },
    )
    this.#completed = Buffer.from(`"${last}"`)
  }

  /** Fewer than were asked for may be all that the vendor draws, which only its body's own end can say. */
  get isUnmarked(): boolean {
    return this.#images > 0 && !this.isTerminated
  }

  override push(chunk: Buffer): Buffer {
    return this.#count(super.push(chunk))
  }

  override flush(): Buffer {
    const rest = super.flush()
    // Half an event, too, may hold the name.
    return this.isTerminated ? this.#count(rest) : rest
  }

  override isWhole(): boolean {
    return this.#images > 0 || super.isWhole()
  }

  override usage(): Usage | null {
    return withImages(super.usage(), this.#images)
  }

  /** Whole lines are given out, so no name is cut. */
  #count(lines: Buffer): Buffer {
    const name = this.#completed
    for (let at = lines.indexOf(name); at >= 0; at = lines.indexOf(name, at + name.length)) {
      this.#images++
    }
    return lines
  }
}
