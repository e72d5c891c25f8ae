import { Notification } from 'electron'
import type { Log } from '../../base/log/log.ts'

export interface NotifierOptions {
  /** Opens the console at a page. */
  open(path?: string): void
  log: Log
}

export interface Notice {
  title: string
  body: string
  /** Page of the console that a click opens. */
  path: string
}

/** Notifications that are kept; systems do not always say that one is gone. */
const MOST_KEPT = 20

/**
 * Shows notifications of the system. Each is kept while it may be clicked: a notification that is collected as
 * garbage hears no click any more.
 *
 * https://www.electronjs.org/docs/latest/api/notification
 */
export class Notifier {
  readonly #options: NotifierOptions
  readonly #kept = new Set<Notification>()
  #hasComplained = false

  constructor(options: NotifierOptions) {
    this.#options = options
  }

  show({ title, body, path }: Notice): void {
    const { open } = this.#options
    try {
      if (!Notification.isSupported()) {
        this.#complain('this system does not support notifications')
        return
      }
      const notification = new Notification({ title, body })
      this.#keep(notification)
      notification.on('click', () => {
        this.#kept.delete(notification)
        open(path)
      })
      notification.on('close', () => this.#kept.delete(notification))
      notification.on('failed', (_event, error) => {
        this.#kept.delete(notification)
        this.#complain(error)
      })
      notification.show()
    } catch (error) {
      this.#complain(String(error))
    }
  }

  #keep(notification: Notification): void {
    this.#kept.add(notification)
    const [oldest] = this.#kept
    if (oldest && this.#kept.size > MOST_KEPT) this.#kept.delete(oldest)
  }

  /** A user who refuses our notifications is not to find a log full of it. */
  #complain(reason: string): void {
    const { log } = this.#options
    if (!this.#hasComplained) log.warn({ reason }, 'a notification was not shown')
    this.#hasComplained = true
  }
}
