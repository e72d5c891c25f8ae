import { generateSync } from 'otplib'
import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unixSeconds } from '../../../main/base/clock.ts'
import { hashPassword } from '../../../main/base/password.ts'
import { addOrder } from '../../../main/store/payment/orders.ts'
import type { User } from '../../../main/store/records/users.ts'
import {
  type ConsoleOverHttp,
  startConsoleOverHttp,
} from '../../support/gateway/console-over-http.ts'

let over: ConsoleOverHttp
const password = 'correct horse'

beforeAll(async () => {
  over = await startConsoleOverHttp({ empty: true })
})
afterAll(() => over?.close())

const addUser = async (username: string): Promise<User> =>
  over.pair.gateway.parts.users.create({ username, passwordHash: await hashPassword(password) })

/** A page of a fresh profile where nobody is signed in. */
async function openLogin() {
  const watched = await over.open('/')
  await watched.context.clearCookies()
  await watched.page.goto(`${over.pair.gateway.url}/console/redeem`)
  await watched.page.getByLabel('User name').waitFor()
  return watched
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Asks as the user who is signed in in this profile. */
async function ask<Data>(context: BrowserContext, path: string, data: object = {}): Promise<Data> {
  const answer = await context.request.post(over.pair.gateway.url + path, { data })
  if (!answer.ok()) throw new Error(await answer.text())
  return ((await answer.json()) as { data: Data }).data
}

// Signing in shows as a failed read of the account, which was no fault.
const expected = /status of 401/

describe('users and codes', () => {
  test('an administrator makes a user and a code, and the user redeems it once', async () => {
    const { page, picture, problems } = await over.open('/users')
    await page.getByRole('row').filter({ hasText: 'owner' }).waitFor()
    await picture('users-one')
    await page.getByRole('button', { name: 'Create user' }).click()
    const drawer = page.getByRole('dialog', { name: 'Create user' })
    await drawer.getByLabel('User name').fill('bob')
    await drawer.getByLabel('Password', { exact: true }).fill(password)
    await drawer.getByLabel('Balance').fill('1.5')
    await picture('users-create')
    await drawer.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('row').filter({ hasText: 'bob' }).getByText('$1.50').waitFor()

    await page.goto(`${over.pair.gateway.url}/console/codes`)
    await page.getByText('No codes yet').waitFor()
    await picture('redeem-empty')
    await page.getByRole('button', { name: 'Create codes' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create codes' })
    await form.getByLabel('Label').fill('workshop')
    await form.getByLabel('Quantity').fill('12')
    await form.getByLabel('Value').fill('5')
    await picture('redeem-create')
    await form.getByRole('button', { name: 'Create codes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your 12 new codes' })
    await dialog.waitFor()
    await picture('redeem-created')
    const codes = (
      (await dialog.getByLabel('New codes', { exact: true }).textContent()) ?? ''
    ).match(/\w{32}/g)
    expect(codes).toHaveLength(12)
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download .txt' }).click()
    expect((await download).suggestedFilename()).toBe('redemption-codes.txt')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(13)

    const other = await openLogin()
    await signIn(other.page, 'bob')
    await other.page.getByRole('button', { name: 'Sign out' }).waitFor()
    await other.page.goto(`${over.pair.gateway.url}/console/redeem`)
    await other.page.getByLabel('Code').fill(`${codes?.[0]}`)
    await other.page.getByRole('button', { name: 'Redeem', exact: true }).click()
    await other.page.getByText('$5.00 credited. Your balance is now $6.50.').waitFor()
    await other.picture('redeem-credited')
    expect(await other.page.getByRole('link', { name: 'Users' }).count()).toBe(0)
    expect(await other.page.getByText('Download').count()).toBe(0)
    await other.page.getByLabel('Code').fill(`${codes?.[0]}`)
    await other.page.keyboard.press('Enter')
    await other.page.getByText('This code has been used already.').waitFor()
    expect(await other.page.getByLabel('Code').inputValue()).toBe(codes?.[0])
    expect(other.problemsBut(expected, /status of 409/)).toEqual([])

    await page.reload()
    await page
      .getByRole('row')
      .filter({ hasText: 'used' })
      .getByText(/by bob$/)
      .waitFor()
    await picture('redeem-codes')
    await page.getByRole('button', { name: 'Delete invalid codes' }).click()
    await page.getByText(/^Delete 1 code that is used/).waitFor()
    await picture('redeem-delete-invalid')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete invalid codes' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(12)
    const csv = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect((await csv).suggestedFilename()).toBe('redemption-codes.csv')
    expect(problems).toEqual([])
  })

  test('a balance is changed and a user disabled, by keyboard where there is no mouse', async () => {
    const user = await addUser('carol')
    const { page, picture, problems } = await over.open('/users')
    await page.getByRole('button', { name: 'More actions for carol' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Change balance' }).waitFor()
    await picture('users-menu')
    // It's there before the cursor is in it.
    await page.locator('[role=menu]:focus, [role=menu] :focus').waitFor()
    await page.keyboard.press('ArrowDown')
    await page
      .getByRole('menuitem', { name: 'Change balance' })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Balance of carol' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.keyboard.type('20')
    await page.getByText('From $0.00 to $20.00.').waitFor()
    await picture('users-balance')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').filter({ hasText: 'carol' })
    await row.getByText('$20.00').waitFor()
    await row.getByLabel('User carol is on').focus()
    await page.keyboard.press('Space')
    await row.getByText('disabled').waitFor()
    expect(over.pair.gateway.parts.users.byId(user.id)?.status).toBe(2)
    await picture('users-list')
    expect(problems).toEqual([])
  })
})

describe('the login', () => {
  test('asks for a code, refuses a wrong one, takes a backup code once', async () => {
    await addUser('dora')
    const watched = await openLogin()
    const { page, context, picture } = watched
    await ask(context, '/api/user/login', { username: 'dora', password })
    const setup = await ask<{ secret: string; backup_codes: string[] }>(
      context,
      '/api/user/2fa/setup',
    )
    await ask(context, '/api/user/2fa/enable', { code: generateSync({ secret: setup.secret }) })
    await context.clearCookies()
    await page.reload()

    await signIn(page, 'dora')
    await page.getByText('dora signs in with a second factor.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.keyboard.type('AAAA-AAAA')
    await page.keyboard.press('Enter')
    await page.getByText(/^This isn't one of your backup codes/).waitFor()
    await picture('login-second-step')
    await page.getByRole('button', { name: 'Sign in with another account' }).click()
    await signIn(page, 'dora')
    await page.getByLabel('Code').fill(setup.backup_codes[0] ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Redeem', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, 'dora')
    await page.getByLabel('Code').fill(setup.backup_codes[0] ?? '')
    await page.keyboard.press('Enter')
    await page.getByText(/^This backup code was used already/).waitFor()
    for (let wrong = 0; wrong < 4; wrong++) {
      await page.getByLabel('Code').fill('AAAA-AAAA')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    }
    await page.getByText(/\d+ (?:minutes?|seconds?)/).waitFor()
    await picture('login-locked')
    expect(watched.problemsBut(expected, /status of 4(?:00|23)/)).toEqual([])
  })

  test('offers an account only while registering is open, and leads straight in', async () => {
    const watched = await openLogin()
    const { page, picture } = watched
    expect(await page.getByRole('button', { name: 'Create an account' }).count()).toBe(0)
    over.pair.gateway.set({ RegisterEnabled: true })
    await page.reload()
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByLabel('User name').fill('erin')
    await page.getByLabel('Password, at least 8 characters').fill(password)
    await page.getByLabel('Password again').fill(password)
    await picture('login-register')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('heading', { name: 'Redeem', exact: true }).waitFor()
    await page.goto(`${over.pair.gateway.url}/console/`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await picture('overview-common-user')
    over.pair.gateway.set({ RegisterEnabled: false })
    // Neither the page nor its sidebar asks for what a common user may not read.
    expect(watched.problemsBut(expected)).toEqual([])
  })
})

test('an order that waits is completed by hand, and its buyer sees it', async () => {
  const buyer = await addUser('frank')
  const { ledger } = over.pair.gateway.parts
  const tradeNo = `ref_${'0123456789'.repeat(4)}`
  ledger.transact((transaction) =>
    addOrder(transaction, {
      userId: buyer.id,
      tradeNo,
      provider: 'creem',
      amount: 10_000_000,
      money: 19,
      credit: 10_000_000,
      productId: 'prod_1',
      currency: 'eur',
      expectedAmount: 1900,
      paidAmount: null,
      checkoutId: '',
      checkoutUrl: '',
      paymentId: '',
      isLive: false,
      status: 'pending',
      clawedBack: 0,
      notes: [],
      createTime: unixSeconds(),
      completeTime: 0,
    }),
  )
  const { page, picture, problems } = await over.open('/')
  await page.getByRole('link', { name: 'Payments' }).click()
  const row = page.getByRole('row').filter({ hasText: 'frank' })
  await row.getByText('€19.00').waitFor()
  // Its provider never heard of it.
  expect(await row.getByRole('button', { name: 'Check payment' }).count()).toBe(0)
  await page.getByRole('button', { name: `More actions for ${tradeNo}` }).click()
  await page.getByRole('menuitem', { name: 'Complete manually' }).click()
  await page.getByText(/\$20\.00 is credited to frank at once/).waitFor()
  await picture('payments-complete')
  await page.getByRole('dialog').getByRole('button', { name: 'Complete manually' }).click()
  await row.getByText('paid', { exact: true }).waitFor()
  await page.getByText(/Completed by hand by owner/).waitFor()
  await picture('payments-completed')
  expect(problems).toEqual([])

  const other = await openLogin()
  await signIn(other.page, 'frank')
  await other.page.getByText('$20.00').first().waitFor()
  await other.page.getByRole('link', { name: 'Payments' }).click()
  await other.page.getByText('paid', { exact: true }).waitFor()
  expect(await other.page.getByRole('button', { name: /^More actions/ }).count()).toBe(0)
  expect(other.problemsBut(expected)).toEqual([])
})
