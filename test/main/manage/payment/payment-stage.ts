import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import Stripe from 'stripe'
import { onTestFinished } from 'vitest'
import type { Settings } from '../../../../main/store/state/settings.ts'
import {
  type RecordedRequest,
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, type Received, startManagement } from '../management.ts'

/** The headers of the user who pays in these tests. */
export const BOB = { authorization: 'Bearer bobs-access-token' }
/** A dollar of quota, in units. */
export const DOLLAR = 500_000

export const STRIPE_SECRET = 'whsec_test_secret'
const CREEM_SECRET = 'creem-webhook-secret'

type Json = Record<string, unknown>

/** A gateway that sells, with both providers played over HTTP on free ports. */
export interface PaymentStage extends Management {
  /** Has a change of the ledger fail, such as `INSERT ON calls`, until the given function is called. */
  fillLedger(change: string): () => void
  stripe: ScriptedUpstream
  creem: ScriptedUpstream
  /** Checkouts as the provider has them, by id; change one, and the provider tells that. */
  checkouts: Map<string, Json>
  set(settings: Partial<Settings>): void
  asBob(method: string, path: string, body?: unknown): Promise<Received>
  /** Bob's units. */
  balance(): Promise<number>
  /** An order as an administrator sees it. */
  order(tradeNo: string): Promise<Received['body']['data']>
  /** Rows of the log, newest first; of one type when that is named. */
  rows(type?: number): Promise<Json[]>
  /** Bob orders so many dollars of quota through Stripe. */
  buyDollars(amount?: number): Promise<{ tradeNo: string; session: Json }>
  /** Bob orders the product through Creem. */
  buyProduct(): Promise<{ tradeNo: string; checkout: Json }>
  /** Delivers an event of Stripe's, signed as Stripe does; gives the status. */
  stripeEvent(type: string, object: Json, fields?: Json): Promise<number>
  /** Delivers an event of Creem's, signed as Creem does; gives the status. */
  creemEvent(eventType: string, object: Json, fields?: Json): Promise<number>
  /** Delivers bytes as they are. */
  deliver(
    provider: 'stripe' | 'creem',
    body: string | Buffer,
    headers: Record<string, string>,
  ): Promise<{ status: number; body: string }>
}

/** A signature by Stripe's own library for tests. */
export const stripeSignature = (payload: string, fields: Json = {}): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: STRIPE_SECRET, ...fields })

export const creemSignature = (payload: string | Buffer, secret = CREEM_SECRET): string =>
  createHmac('sha256', secret).update(payload).digest('hex')

let made = 0

/** Makes a checkout as Stripe would, of a price of 8 dollars. */
function playStripe(checkouts: Map<string, Json>) {
  return ({ method, url, body }: RecordedRequest): Reply => {
    if (method === 'GET') {
      const session = checkouts.get(new URL(url, 'http://stripe').pathname.split('/').at(-1) ?? '')
      return session ? { body: session } : { status: 404, body: { error: { message: 'None.' } } }
    }
    const fields = new URLSearchParams(body.toString())
    const id = `cs_test_${++made}`
    const total = Number(fields.get('line_items[0][quantity]')) * 800
    const session = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.com/c/pay/${id}`,
      client_reference_id: fields.get('client_reference_id'),
      customer: null,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: total,
      amount_subtotal: total,
      currency: 'usd',
      payment_intent: null,
      mode: 'payment',
      livemode: false,
      metadata: {},
    }
    checkouts.set(id, session)
    return { body: session }
  }
}

function playCreem(checkouts: Map<string, Json>) {
  return ({ method, url, body }: RecordedRequest): Reply => {
    if (method === 'GET') {
      const asked = new URL(url, 'http://creem').searchParams
      const id = asked.get('checkout_id') ?? asked.get('transaction_id') ?? ''
      const checkout = checkouts.get(id)
      return checkout ? { body: checkout } : { status: 404, body: { message: ['None.'] } }
    }
    const { request_id, product_id } = JSON.parse(body.toString())
    const id = `ch_${++made}`
    const checkout = {
      id,
      object: 'checkout',
      mode: 'test',
      status: 'pending',
      request_id,
      product: product_id,
      checkout_url: `https://checkout.creem.io/${id}`,
    }
    checkouts.set(id, checkout)
    return { body: checkout }
  }
}

/** The session as it is once it was paid. */
export const paidSession = (session: Json, fields: Json = {}): Json => ({
  ...session,
  status: 'complete',
  payment_status: 'paid',
  payment_intent: `pi_${session.id}`,
  customer: 'cus_bob',
  ...fields,
})

/** The checkout as it is once it was paid; `order` overrides some of its order's fields. */
export const paidCheckout = (checkout: Json, fields: Json = {}, order: Json = {}): Json => ({
  ...checkout,
  status: 'completed',
  order: {
    id: `ord_${checkout.id}`,
    product: checkout.product,
    amount: 1000,
    amount_paid: 1000,
    currency: 'EUR',
    status: 'paid',
    type: 'onetime',
    ...order,
  },
  customer: { id: 'cust_1', email: 'bob@example.com', name: 'Bob', country: 'NL' },
  ...fields,
})

/** A raw POST: `fetch` would not send every header as it is given. */
function post(url: string, body: string | Buffer, headers: Record<string, string>) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export async function startPaymentStage(): Promise<PaymentStage> {
  const checkouts = new Map<string, Json>()
  const stripe = await startUpstream(playStripe(checkouts))
  const creem = await startUpstream(playCreem(checkouts))
  onTestFinished(async () => {
    await stripe.close()
    await creem.close()
  })
  const payments = { stripeUrl: stripe.url, creemUrl: creem.url }
  const management = await startManagement({ payments })
  const { gateway, owner, visitor } = management
  const bob = visitor()
  gateway.parts.users.create({ username: 'bob', accessToken: 'bobs-access-token' })
  const set = (settings: Partial<Settings>) => gateway.parts.settings.update(settings)
  set({
    StripeApiSecret: 'sk_test_key',
    StripeWebhookSecret: STRIPE_SECRET,
    StripePriceId: 'price_1',
    CreemApiKey: 'creem_test_key',
    CreemWebhookSecret: CREEM_SECRET,
    CreemTestMode: true,
    CreemProducts: [
      { productId: 'prod_1', name: 'Ten', price: 10, currency: 'EUR', quota: 6_000_000 },
    ],
  })
  const asBob: PaymentStage['asBob'] = (method, path, body) => bob.send(method, path, body, BOB)
  const deliver: PaymentStage['deliver'] = (provider, body, headers) =>
    post(`${gateway.url}/api/${provider}/webhook`, body, headers)
  return {
    ...management,
    ...{ stripe, creem, checkouts, set, asBob, deliver },
    fillLedger(change) {
      const { ledger } = gateway.parts
      ledger.transact(({ run }) =>
        run(`CREATE TRIGGER full BEFORE ${change} BEGIN SELECT raise(ABORT, 'full'); END`),
      )
      return () => ledger.transact(({ run }) => run('DROP TRIGGER full'))
    },
    balance: async () => (await asBob('GET', '/api/user/self')).body.data.quota,
    async order(tradeNo) {
      const { body } = await owner.get(`/api/user/topup?keyword=${tradeNo}`)
      return body.data.items[0]
    },
    rows: async (type) =>
      (
        gateway.parts.ledger.list(type === undefined ? {} : { type }, { page: 1, pageSize: 100 })
          .items as unknown[]
      ).slice() as Json[],
    async buyDollars(amount = 2) {
      const { body } = await asBob('POST', '/api/user/stripe/pay', { amount })
      const session = checkouts.get(body.data.pay_link.split('/').at(-1)) ?? {}
      return { tradeNo: String(session.client_reference_id), session }
    },
    async buyProduct() {
      const input = { product_id: 'prod_1', payment_method: 'creem' }
      const { body } = await asBob('POST', '/api/user/creem/pay', input)
      const { order_id: tradeNo, checkout_url: url } = body.data
      return { tradeNo, checkout: checkouts.get(url.split('/').at(-1)) ?? {} }
    },
    async stripeEvent(type, object, fields = {}) {
      const event = {
        id: `evt_${randomUUID()}`,
        object: 'event',
        type,
        created: Math.floor(Date.now() / 1000),
        livemode: false,
        api_version: '2019-01-01',
        data: { object },
        ...fields,
      }
      const payload = JSON.stringify(event)
      const headers = { 'stripe-signature': stripeSignature(payload) }
      return (await deliver('stripe', payload, headers)).status
    },
    async creemEvent(eventType, object, fields = {}) {
      const event = { id: `evt_${randomUUID()}`, eventType, created_at: Date.now(), object }
      const payload = JSON.stringify({ ...event, ...fields })
      const headers = { 'creem-signature': creemSignature(payload) }
      return (await deliver('creem', payload, headers)).status
    },
  }
}
