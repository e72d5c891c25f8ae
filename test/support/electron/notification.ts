import { EventEmitter } from 'node:events'
import type { NotificationConstructorOptions, Notification as RealNotification } from 'electron'
import { app } from './app.ts'

/**
 * A notification of the system. STAND_IN_NOTIFICATIONS=none is a system without them, `refused` one whose user
 * does not want ours: it then emits `failed`, as on macOS and Windows. `all` is for tests.
 */
export class Notification
  extends EventEmitter
  implements Pick<RealNotification, 'body' | 'close' | 'show' | 'title'>
{
  static readonly all: Notification[] = []
  title: string
  body: string
  isShown = false

  constructor({ title = '', body = '' }: NotificationConstructorOptions = {}) {
    super()
    app.onlyWhenReady('Notification')
    this.title = title
    this.body = body
    Notification.all.push(this)
  }

  static isSupported(): boolean {
    return process.env.STAND_IN_NOTIFICATIONS !== 'none'
  }

  show(): void {
    if (!Notification.isSupported()) return
    if (process.env.STAND_IN_NOTIFICATIONS === 'refused') {
      this.emit('failed', {}, 'Notifications are not allowed for this application')
      return
    }
    this.isShown = true
    this.emit('show', {})
  }

  close(): void {
    if (!this.isShown) return
    this.isShown = false
    this.emit('close', { reason: 'userCanceled' })
  }

  /** Its user clicks it; a notification that is gone cannot be clicked. */
  clickIt(): void {
    if (!this.isShown) throw new Error('The notification is not there')
    this.isShown = false
    this.emit('click', {})
  }
}
