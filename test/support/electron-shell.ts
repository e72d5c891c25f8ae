import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type {
  Clipboard,
  Dialog,
  NativeTheme,
  Protocol,
  SafeStorage,
  Session,
  Shell,
} from 'electron'
import { app } from './electron-app.ts'

/** A dialog has nowhere to show itself: what it says goes to stderr, as Electron's does before `ready`. */
export const dialog: Pick<Dialog, 'showErrorBox'> = {
  showErrorBox(title, content) {
    process.stderr.write(`[error box] ${title}\n${content}\n`)
  },
}

export const shell: Pick<Shell, 'openExternal'> = {
  async openExternal(url) {
    process.stderr.write(`[opened outside] ${url}\n`)
  },
}

let copied = ''
export const clipboard: Pick<Clipboard, 'readText' | 'writeText'> = {
  readText: async () => copied,
  async writeText(text) {
    copied = text
  },
}

export const nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors'> = { shouldUseDarkColors: false }

/** Stands for the keychain; STAND_IN_KEYCHAIN=none is a machine that has none. */
export const safeStorage: Pick<
  SafeStorage,
  'decryptString' | 'encryptString' | 'getSelectedStorageBackend' | 'isEncryptionAvailable'
> = {
  isEncryptionAvailable: () => app.isReady() && process.env.STAND_IN_KEYCHAIN !== 'none',
  getSelectedStorageBackend: () =>
    process.env.STAND_IN_KEYCHAIN === 'none' ? 'basic_text' : 'gnome_libsecret',
  encryptString(text) {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', keychainKey(), nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  },
  decryptString(data) {
    try {
      const cipher = createDecipheriv('aes-256-gcm', keychainKey(), data.subarray(0, 12))
      cipher.setAuthTag(data.subarray(12, 28))
      return Buffer.concat([cipher.update(data.subarray(28)), cipher.final()]).toString('utf8')
    } catch (cause) {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.', { cause })
    }
  },
}

/** Another keychain is another person's, or the same one after it was reset. */
const keychainKey = (): Buffer =>
  createHash('sha256')
    .update(process.env.STAND_IN_KEYCHAIN ?? 'keychain')
    .digest()

type ProtocolHandler = Parameters<Protocol['handle']>[1]
const privileged = new Set<string>()
const handlers = new Map<string, ProtocolHandler>()

export const protocol: Pick<
  Protocol,
  'handle' | 'isProtocolHandled' | 'registerSchemesAsPrivileged'
> = {
  registerSchemesAsPrivileged(schemes) {
    app.onlyBeforeReady('protocol.registerSchemesAsPrivileged')
    for (const { scheme, privileges } of schemes) {
      // Without both, a page of the scheme has no origin and no secure context, unlike its https twin.
      if (privileges?.standard && privileges.secure) privileged.add(scheme)
    }
  },
  handle(scheme, handler) {
    app.onlyWhenReady('protocol.handle')
    if (handlers.has(scheme)) throw new Error(`The scheme ${scheme} is handled already`)
    if (!privileged.has(scheme)) throw new Error(`The scheme ${scheme} is not standard and secure`)
    handlers.set(scheme, handler)
  },
  isProtocolHandled: (scheme) => handlers.has(scheme),
}

/** Answers a request of a page as the app's own handler does. */
export async function answerRequest(request: Request): Promise<Response> {
  const handler = handlers.get(new URL(request.url).protocol.slice(0, -1))
  if (!handler) throw new Error(`No handler for ${request.url}`)
  return handler(request)
}

type PermissionHandler = Parameters<Session['setPermissionRequestHandler']>[0]
let decidePermission: PermissionHandler = null

class StandInSession
  extends EventEmitter
  implements Pick<Session, 'setPermissionCheckHandler' | 'setPermissionRequestHandler'>
{
  setPermissionRequestHandler(handler: PermissionHandler): void {
    decidePermission = handler
  }

  setPermissionCheckHandler(): void {}
}

export const session = { defaultSession: new StandInSession() }

/** What the app answers when a page asks for a permission; without a handler Electron grants all. */
export function isPermitted(contents: object, permission: string): boolean {
  let allowed = decidePermission === null
  const decide = (answer: boolean) => {
    allowed = answer
  }
  if (decidePermission)
    Reflect.apply(decidePermission, undefined, [contents, permission, decide, {}])
  return allowed
}
