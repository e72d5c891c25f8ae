import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../../../main/base/log/log.ts'
import { startGateway } from '../../../../main/gateway.ts'
import { refusedSource } from '../../../../main/manage/calls/refused-source.ts'
import { openConfFile } from '../../../../main/store/state/conf-file.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import { tempFolder } from '../../store/folder/temp-folder.ts'
import { refusedStage } from './refused-stage.ts'

const stage = refusedStage()

describe('hints for base URLs', () => {
  const cases: [string, string][] = [
    ['/v1beta/v1beta/models/m:generateContent', 'take /v1beta off its base URL.'],
    ['/v1/v1beta/models/m:generateContent', 'take /v1 off its base URL.'],
    ['/models/m:generateContent', 'add /v1beta to the end of its base URL.'],
    ['//v1/messages', 'take the slash off the end of its base URL.'],
    ['/v1//chat/completions', 'take the slash off the end of its base URL.'],
    ['/v1/chat/completions/chat/completions', 'take /chat/completions off its base URL.'],
    ['/v1/messages/v1/messages', 'take /v1/messages off its base URL.'],
    ['/openai/chat/completions', 'its base URL must be {url}/v1.'],
    ['/gemini/models/m:generateContent', 'its base URL must be {url}.'],
    ['/my/own/proxy/v1/messages', 'take /my/own/proxy off its base URL.'],
  ]
  test.each(cases)('%s', async (path, advice) => {
    await stage.post(path)
    const told = advice.replace('{url}', stage.pair.gateway.url)
    expect(stage.onlyRow().hint).toBe(`Your tool called ${path}: ${told}`)
  })

  test('none where nobody knows', async () => {
    await stage.post('/v1/threads')
    expect(stage.onlyRow()).toMatchObject({ code: 'unknown_path', hint: '' })
  })
})

test('no part of a row tells a key', async () => {
  await stage.untilRoomFor(20)
  const secret = 'sk-ant-api03-Zm9vYmFyYmF6cXV4'
  const plain = 'mistyped-key-of-somebody'
  const own = stage.pair.gateway.key.slice(3)
  for (const key of [secret, plain, own, `sk-${own}-5x`]) {
    const encoded = encodeURIComponent(key)
    const headers = {
      'user-agent': `tool/1 ${key}`,
      authorization: `Bearer ${key}`,
      'x-api-key': key,
    }
    await stage.post(`/v1/${key}/messages?key=${encoded}&x=1`, { headers, withoutKey: true })
    await stage.post(`/v1/messages?api_key=${encoded}`, { headers, withoutKey: true })
    await stage.post(`/v1/${key}/x?why=that?&key=${encoded}`, { withoutKey: true })
    await stage.post(`/v1/chat/completions`, {
      headers,
      withoutKey: true,
      body: `{"model": "${key}`,
    })
    await stage.raw(
      `GET /?key=${key} HTTP/1.1\r\nUser-Agent: ${key}\r\nX-Api-Key: ${key}\r\nHost : x\r\n\r\n`,
    )
  }
  expect(stage.rows().length).toBeGreaterThan(10)
  const text = JSON.stringify(stage.rows())
  for (const key of [secret.slice(8), plain, own, own.slice(8, 20)]) expect(text).not.toContain(key)
  expect(stage.rows()[0]?.path).toBe('/v1/***/messages?key=***&x=1')
})

test('a word of a code that is somebody’s key stays in the code, so that the console has its sentence', async () => {
  const headers = { authorization: 'Bearer path_advice' }
  await stage.post('/v1/v1/messages', { headers, withoutKey: true })
  expect(stage.onlyRow().hintReason).toContain('"code":"path_advice"')
})

test('a refused request among calls costs nothing and says why', async () => {
  const answer = await stage.post('/v1/v1/messages', { headers: { 'user-agent': 'claude-cli/2' } })
  const record = refusedSource(stage.pair.gateway.parts.refused).find(answer.id)
  expect(record).toMatchObject({
    ...{ type: 5, quota: 0, status: 404, requestId: answer.id, channelId: 0 },
    content: stage.onlyRow().message,
  })
  expect(JSON.parse(record?.other ?? '')).toEqual({
    request_path: '/v1/v1/messages',
    method: 'POST',
    error_code: 'unknown_path',
    status_code: 404,
    client: 'claude-cli/2',
    hint: 'Your tool called /v1/v1/messages: take /v1 off its base URL.',
    error_reason: {
      ...{ code: 'path_misplaced', method: 'POST', path: '/v1/v1/messages' },
      advice: { code: 'base_url_without', part: '/v1' },
    },
    hint_reason: {
      ...{ code: 'path_advice', path: '/v1/v1/messages' },
      advice: { code: 'base_url_without', part: '/v1' },
    },
  })
})

test('a flood from one address is counted, and has 20 rows a second', async () => {
  const began = Date.now()
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 25 }, () => stage.post('/v1/v1/messages')))
  }
  const seconds = Math.floor(Date.now() / 1000) - Math.floor(began / 1000) + 1
  const kept = stage.rows()
  expect(kept.length).toBeLessThanOrEqual(20 * seconds)
  expect(kept.reduce((sum, { more }) => sum + 1 + more, 0)).toBe(500)
})

describe('the file of refused requests', () => {
  const ask = (gateway: TestGateway) =>
    fetch(`${gateway.url}/v1/v1/messages`, { method: 'POST', body: '{}' })

  test('gives them back after a restart', async () => {
    const dataFolder = tempFolder()
    const first = await startTestGateway({ dataFolder })
    await ask(first)
    await first.close()
    const second = await startGateway({
      ...{ host: '127.0.0.1', port: 0, portIsNamed: true, dataFolder, env: {} },
      ...{ rendererFolder: dataFolder, openStateFile: openConfFile, log: createLog('silent') },
    })
    onTestFinished(() => second.close())
    expect(second.parts.refused.list({ limit: 9 })).toMatchObject([
      { code: 'unknown_path', path: '/v1/v1/messages' },
    ])
  })

  test('stops neither a call nor a refusal when it cannot be written', async () => {
    const dataFolder = tempFolder()
    mkdirSync(join(dataFolder, 'refused.db'))
    const gateway = await startTestGateway({ dataFolder })
    onTestFinished(() => gateway.close())
    expect((await ask(gateway)).status).toBe(404)
    expect(gateway.parts.refused.list({ limit: 9 })).toHaveLength(1)
    const headers = { authorization: `Bearer ${gateway.key}` }
    expect((await fetch(`${gateway.url}/v1/models`, { headers })).status).toBe(200)
  })

  test('tells open consoles of a new row', async () => {
    let heard = 0
    onTestFinished(stage.pair.gateway.parts.events.on('calls', () => void heard++))
    await stage.post('/v1/v1/messages')
    await expect.poll(() => heard).toBeGreaterThan(0)
  })
})
