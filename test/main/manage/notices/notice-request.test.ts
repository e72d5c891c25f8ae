import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OwnSetting } from '../../../../main/manage/account/kept-setting.ts'
import { noticeRequest } from '../../../../main/manage/notices/notice-request.ts'

const notice = {
  type: 'quota_exceed',
  title: 'Little quota is left',
  content: 'You have $1.00 left & less/more?',
  values: [500_000, 600_000],
} as const

const sent = (setting: OwnSetting) => noticeRequest(setting, notice)

test('a webhook gets what new-api’s receivers read, signed over the very bytes', () => {
  const request = sent({
    notify_type: 'webhook',
    webhook_url: 'https://a.test/hook?x=1',
    webhook_secret: 'hush',
  })
  const body = request?.body ?? Buffer.alloc(0)
  const { timestamp, ...rest } = JSON.parse(body.toString())
  expect(rest).toEqual({ ...notice })
  expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(60)
  const signature = createHmac('sha256', 'hush').update(body).digest('hex')
  expect(request?.headers['x-webhook-signature']).toBe(signature)
  expect(request?.url).toBe('https://a.test/hook?x=1')
})

test('without a secret nothing is signed, and nothing else is sent in its place', () => {
  const request = sent({ notify_type: 'webhook', webhook_url: 'https://a.test/' })
  expect(Object.keys(request?.headers ?? {})).toEqual(['content-type'])
})

test('Bark’s words stand where their places are, else behind the key, and cannot leave them', () => {
  const title = 'Little%20quota%20is%20left'
  const content = 'You%20have%20%241.00%20left%20%26%20less%2Fmore%3F'
  const at = (bark_url: string) => sent({ notify_type: 'bark', bark_url })?.url
  expect(at('https://bark.test/key/{{title}}/{{content}}?group=a')).toBe(
    `https://bark.test/key/${title}/${content}?group=a`,
  )
  expect(at('https://bark.test/key/')).toBe(`https://bark.test/key/${title}/${content}`)
  expect(at('https://bark.test/key?sound=bell')).toBe(
    `https://bark.test/key/${title}/${content}?sound=bell`,
  )
})

test('Gotify’s token goes in a header and not in the address', () => {
  const request = sent({
    notify_type: 'gotify',
    gotify_url: 'https://push.test/gotify/',
    gotify_token: 'secret-token',
    gotify_priority: 8,
  })
  expect(request?.url).toBe('https://push.test/gotify/message')
  expect(request?.headers['x-gotify-key']).toBe('secret-token')
  const { title, content: message } = notice
  expect(JSON.parse(String(request?.body))).toEqual({ title, message, priority: 8 })
})

test('who has chosen nothing, e-mail, or no address gets none', () => {
  expect(sent({})).toBeNull()
  expect(sent({ notify_type: 'email', notification_email: 'ada@example.org' })).toBeNull()
  expect(sent({ notify_type: 'webhook' })).toBeNull()
})
