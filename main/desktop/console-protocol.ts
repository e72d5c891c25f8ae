import { readFile } from 'node:fs/promises'
import { extname, resolve, sep } from 'node:path'
import { protocol } from 'electron'

const scheme = 'app'
const host = 'console'

/** Where the window starts; the console's own paths are the same as over HTTP. */
export const consoleUrl = `${scheme}://${host}/console/`

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Styles may be inline because Mantine writes its theme into the page; nothing else may. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Must run before the app is ready: only then can a scheme become standard and secure. */
export function registerConsoleScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ])
}

/** Serves the built renderer in `folder` (an absolute path) at `app://console`. */
export function serveConsole(folder: string): void {
  protocol.handle(scheme, (request) => answer(request, folder))
}

/** Is this a page of the console itself, and not one that only looks like it? */
export function isConsoleUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return url.protocol === `${scheme}:` && url.host === host && url.username === ''
}

async function answer(request: Request, folder: string): Promise<Response> {
  if (!isConsoleUrl(request.url)) return refuse(404)
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405)
  const path = decodePath(new URL(request.url).pathname)
  if (path === null) return refuse(400)
  const file = resolve(folder, `.${path.replace(/^\/console(?=\/|$)/, '')}`)
  if (file !== folder && !file.startsWith(folder + sep)) return refuse(404)
  // A path without an extension is a page of the console, which finds its way in the browser.
  const wanted = extname(file) === '' ? resolve(folder, 'index.html') : file
  const contentType = contentTypes[extname(wanted)]
  const bytes = contentType === undefined ? null : await readFile(wanted).catch(() => null)
  if (bytes === null || contentType === undefined) return refuse(404)
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': contentType,
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  })
}

/** Null for an escape that is no text, and for a NUL, which no file name has. */
function decodePath(pathname: string): string | null {
  try {
    const path = decodeURIComponent(pathname)
    return path.includes('\0') ? null : path
  } catch {
    return null
  }
}

const refuse = (status: number): Response =>
  new Response(null, { status, headers: { 'content-security-policy': contentSecurityPolicy } })
