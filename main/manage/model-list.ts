import { lookup } from 'node:dns/promises'
import type { ChannelTarget } from '../adaptor/adaptor.ts'
import { adaptorOf } from '../adaptor/adaptors.ts'
import { Cancellation } from '../base/cancellation.ts'
import { GatewayError } from '../base/errors.ts'
import { readAll } from '../upstream/body.ts'
import { sendUpstream } from '../upstream/request.ts'
import { hostOf, isForbiddenHost } from './channel-base-url.ts'

const TIME_LIMIT = 15_000
const SIZE_LIMIT = 5 * 1024 * 1024
const MOST_PAGES = 50

/** Refuses names that lead to link-local addresses, where clouds keep credentials. */
async function checkHost(url: string): Promise<void> {
  const host = hostOf(new URL(url))
  const found = await lookup(host, { all: true }).catch(() => [])
  if (isForbiddenHost(host) || found.some(({ address }) => isForbiddenHost(address))) {
    throw new GatewayError('invalid_params', {
      message: `${host} is a link-local or metadata address, which no channel may use.`,
      field: 'base_url',
    })
  }
}

/** The vendor's sentence in an error body, else its first words. */
function sentenceIn(body: string): string {
  try {
    const { error, message, detail } = JSON.parse(body)
    const said = error?.message ?? error ?? message ?? detail
    if (typeof said === 'string' && said !== '') return said.slice(0, 500)
  } catch {
    // No JSON: shown as it is.
  }
  return body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
}

function parsePage(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new GatewayError('upstream_error', {
      message: `The upstream did not answer with JSON: ${sentenceIn(body) || 'the answer is empty'}. Check the base URL, or type the names.`,
    })
  }
}

async function fetchPage(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Buffer> {
  const answer = await sendUpstream({
    method: 'GET',
    url,
    headers,
    cancellation: Cancellation.of(signal),
  })
  const body = await readAll(answer.body, SIZE_LIMIT)
  const { status } = answer
  if (status >= 300 && status < 400) {
    throw new GatewayError('upstream_error', {
      message: `The upstream answered ${status}: it redirects to ${answer.headers.location ?? 'another address'}. Enter that address as base URL; a key is never sent after a redirect.`,
    })
  }
  if (status !== 200) {
    const said = sentenceIn(body.toString('utf8'))
    throw new GatewayError('upstream_error', {
      message: `The upstream answered ${status}${said ? `: ${said}` : ' and said nothing.'}`,
    })
  }
  return body
}

/** All pages of the vendor's list; the next page must be where the first one was. */
async function fetchAll(
  {
    url,
    headers,
    parse,
  }: {
    url: string
    headers: Record<string, string>
    parse(body: unknown): { models: string[]; next?: string }
  },
  signal: AbortSignal,
): Promise<string[]> {
  const models: string[] = []
  const seen = new Set<string>()
  let size = 0
  for (let next: string | undefined = url; next && !seen.has(next) && seen.size < MOST_PAGES; ) {
    seen.add(next)
    const body = await fetchPage(next, headers, signal)
    size += body.length
    if (size > SIZE_LIMIT) {
      throw new GatewayError('upstream_error', {
        message: "The upstream's list of models is longer than 5 MB. Type the names.",
      })
    }
    const page = parse(parsePage(body.toString('utf8')))
    models.push(...page.models)
    const isSameHost = page.next !== undefined && new URL(page.next).origin === new URL(url).origin
    next = isSameHost ? page.next : undefined
  }
  return models
}

/**
 * The models that a channel's vendor offers: sorted, each once. Throws `upstream_error` and its kin with
 * the vendor's own sentence; no message ever holds the key.
 */
export async function listModels(
  target: ChannelTarget,
  extraHeaders: Record<string, string>,
  signal: AbortSignal,
): Promise<string[]> {
  const adaptor = adaptorOf(target.type)
  if (!adaptor) {
    throw new GatewayError('invalid_params', {
      message: `The channel type ${target.type} is not supported.`,
      field: 'type',
    })
  }
  if (adaptor.local) return [...adaptor.local.models].sort()
  const timeout = AbortSignal.timeout(TIME_LIMIT)
  try {
    const list = adaptor.modelList(target)
    await checkHost(list.url)
    const headers = { accept: 'application/json', ...list.headers, ...extraHeaders }
    const models = await fetchAll({ ...list, headers }, AbortSignal.any([signal, timeout]))
    return [...new Set(models)].sort()
  } catch (error) {
    if (timeout.aborted && !signal.aborted) {
      throw new GatewayError('upstream_timeout', {
        message: 'The upstream did not send its list of models within 15 seconds.',
        cause: error,
      })
    }
    throw withoutKey(error, target.key)
  }
}

/** Some vendors quote the key that they refuse. */
function withoutKey(error: unknown, key: string): unknown {
  if (!(error instanceof GatewayError) || key === '' || !error.message.includes(key)) return error
  return new GatewayError(error.code, {
    message: error.message.replaceAll(key, '***'),
    status: error.status,
  })
}
