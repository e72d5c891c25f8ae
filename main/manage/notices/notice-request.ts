import { createHmac } from 'node:crypto'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { OwnSetting } from '../account/kept-setting.ts'
import type { Notice } from './notice.ts'

/** A notice as it is sent: a POST where there is a body. */
export interface NoticeRequest {
  url: string
  headers: Record<string, string>
  body?: Buffer
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/**
 * new-api's webhook: `{type, title, content, values?, timestamp}`, signed by the header `X-Webhook-Signature`,
 * the HMAC-SHA256 of the body's bytes under the user's secret in hexadecimal digits
 * (https://github.com/QuantumNous/new-api/blob/main/service/webhook.go).
 */
function webhook(url: string, secret: string | null | undefined, notice: Notice): NoticeRequest {
  const { type, title, content, values } = notice
  const named = values && values.length > 0 ? { values } : {}
  const body = Buffer.from(
    JSON.stringify({ type, title, content, ...named, timestamp: unixSeconds() }),
  )
  const headers: Record<string, string> = { ...JSON_TYPE }
  if (secret) {
    headers['x-webhook-signature'] = createHmac('sha256', secret).update(body).digest('hex')
  }
  return { url, headers, body }
}

/**
 * Bark takes its words in the address: where `{{title}}` and `{{content}}` stand, as new-api's users write it,
 * else behind the device's key (https://bark.day.app/#/tutorial).
 */
function bark(address: string, { title, content }: Notice): NoticeRequest {
  const words = [encodeURIComponent(title), encodeURIComponent(content)] as const
  const hasPlaces = /\{\{(?:title|content)\}\}/.test(address)
  if (hasPlaces) {
    const url = address
      .replaceAll('{{title}}', () => words[0])
      .replaceAll('{{content}}', () => words[1])
    return { url, headers: {} }
  }
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${words.join('/')}`
  return { url: url.href, headers: {} }
}

/** https://gotify.net/docs/pushmsg: the token goes in a header, where no server's log keeps it. */
function gotify(
  address: string,
  { gotify_token: token, gotify_priority: priority = 5 }: OwnSetting,
  { title, content }: Notice,
): NoticeRequest {
  return {
    url: `${address.replace(/\/+$/, '')}/message`,
    headers: { ...JSON_TYPE, 'x-gotify-key': token ?? '' },
    body: Buffer.from(JSON.stringify({ title, message: content, priority })),
  }
}

/** A notice in the form in which the user wants it; null for who wants none. */
export function noticeRequest(setting: OwnSetting, notice: Notice): NoticeRequest | null {
  const { notify_type: kind } = setting
  if (kind === 'webhook' && setting.webhook_url) {
    return webhook(setting.webhook_url, setting.webhook_secret, notice)
  }
  if (kind === 'bark' && setting.bark_url) return bark(setting.bark_url, notice)
  if (kind === 'gotify' && setting.gotify_url) return gotify(setting.gotify_url, setting, notice)
  return null
}

/** Log line for the choice of e-mail, which new-api's clients also send where nothing was chosen. */
export const NO_EMAIL =
  'E-mail is not offered here, so that no notices are sent. Choose webhook, bark or gotify to get them.'

/** Throws `invalid_params` where there is nowhere to send a notice to. */
export function requireReceiver(request: NoticeRequest | null): NoticeRequest {
  if (request) return request
  throw new GatewayError('invalid_params', {
    message: NO_EMAIL,
    field: 'notify_type',
    reason: { code: 'no_email_notices' },
  })
}
