import { existsSync } from 'node:fs'
import { join } from 'node:path'
import express, { type Response } from 'express'
import { GatewayError } from '../base/errors.ts'

/** Styles may be inline because Mantine writes its theme into the page; scripts never. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PATH = '/console'
const ONE_YEAR = 365 * 24 * 60 * 60

const describe = (response: Response): void => {
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Content-Type-Options', 'nosniff')
}

/**
 * The built console in `rendererFolder` (absolute) under /console. Files in `assets` carry a hash in
 * their names and never change; a path without an extension is one of the console's own pages.
 */
export function consoleRouter(rendererFolder: string): express.Router {
  const page = join(rendererFolder, 'index.html')
  const router = express.Router({ caseSensitive: true, strict: true })

  router.use(PATH, (_request, response, next) => {
    describe(response)
    next()
  })
  // Browsers ask for it on pages without an icon of their own, such as a JSON answer.
  router.get('/favicon.ico', (_request, response) => void response.status(204).end())
  router.get(PATH, (_request, response) => response.redirect(302, `${PATH}/`))
  router.use(
    PATH,
    express.static(rendererFolder, {
      index: false,
      redirect: false,
      setHeaders(response, path) {
        const isAsset = path.startsWith(join(rendererFolder, 'assets'))
        response.setHeader(
          'Cache-Control',
          isAsset ? `public, max-age=${ONE_YEAR}, immutable` : 'no-cache',
        )
      },
    }),
  )
  router.get(`${PATH}/{*page}`, (request, response, next) => {
    const isFile = /\.\w+$/.test(request.path)
    if (isFile) return next()
    if (!existsSync(page)) {
      throw new GatewayError('not_found', {
        message: 'The console is not built. Run "npm run build", then reload.',
        reason: { code: 'console_unbuilt' },
      })
    }
    response.setHeader('Cache-Control', 'no-cache')
    // The folder may lie below one whose name begins with a dot.
    response.sendFile(page, { dotfiles: 'allow' }, (error?: Error) => {
      if (error && !response.headersSent) next(error)
    })
  })
  return router
}
