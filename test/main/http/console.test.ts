import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { consoleRouter } from '../../../main/http/console.ts'

/** Serves a small built console, in a folder whose path has a name with a dot in front. */
async function serve({ isBuilt = true } = {}): Promise<string> {
  const base = mkdtempSync(join(tmpdir(), 'switchyard-console-'))
  const folder = join(base, '.hidden', 'renderer')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  if (isBuilt) writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>')
  writeFileSync(join(folder, 'assets', 'index-abc123.js'), 'console.log(1)')
  writeFileSync(join(base, 'secret.txt'), 'secret')
  const app = express().use(consoleRouter(folder))
  app.use((_request, response) => void response.status(404).send('nothing'))
  const onError: express.ErrorRequestHandler = (error, _request, response, _next) =>
    void response.status(error.status).send(error.message)
  app.use(onError)
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.close()
    rmSync(base, { recursive: true, force: true })
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('every page of the console answers on reload, with a policy that allows no inline script', async () => {
  const url = await serve()
  for (const path of ['/console/', '/console/playground', '/console/channels/7']) {
    const response = await fetch(url + path)
    expect([path, response.status]).toEqual([path, 200])
    expect(await response.text()).toContain('<title>Console')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
  }
})

test('the path without a slash leads to the one with it', async () => {
  const response = await fetch(`${await serve()}/console`, { redirect: 'manual' })
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe('/console/')
})

test('a browser that asks for favicon.ico hears that there is none, and of no failure', async () => {
  expect((await fetch(`${await serve()}/favicon.ico`)).status).toBe(204)
})

test('assets are kept for a year, and one that is missing is a 404 rather than a page', async () => {
  const url = await serve()
  const asset = await fetch(`${url}/console/assets/index-abc123.js`)
  expect(asset.headers.get('cache-control')).toContain('immutable')
  expect(asset.headers.get('content-type')).toContain('javascript')
  expect((await fetch(`${url}/console/assets/index-old.js`)).status).toBe(404)
})

test('nothing beside the console is served', async () => {
  const url = await serve()
  for (const path of ['/console/../../secret.txt', '/console/..%2f..%2fsecret.txt']) {
    expect(await (await fetch(url + path)).text()).not.toBe('secret')
  }
})

test('a console that was not built says how to build it', async () => {
  const response = await fetch(`${await serve({ isBuilt: false })}/console/`)
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('npm run build')
})
