import { generateSync } from 'otplib'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { savedBy } from './saved-by.ts'
import { type Step, visit, type Walk, walker } from './walk-through.ts'

const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function optionOf({ ask }: Walk, key: string): Promise<string | undefined> {
  return (await ask('option.list', {})).find((option) => option.key === key)?.value
}

const toMessage: Step = {
  path: '/playground',
  heading: 'Playground',
  async act({ page, ask }) {
    await page.getByLabel('Message').fill('Good morning')
    await page.keyboard.press('Enter')
    const reply = page.getByRole('article').last()
    await reply.getByText('Good morning').waitFor()
    await expect.poll(() => reply.getAttribute('aria-busy')).toBe('false')
    await expect.poll(async () => (await ask('call.list', {})).total).toBe(1)
  },
}

const toReadOfToday: Step = {
  path: '/',
  heading: 'Overview',
  async act({ page }) {
    await page.getByRole('row').filter({ hasText: 'echo' }).waitFor()
    await page.getByRole('link', { name: 'All calls' }).click()
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
  },
}

const toReadACall: Step = {
  path: '/calls',
  heading: 'Calls',
  async act({ page, ask }) {
    const [call] = (await ask('call.list', {})).items
    await page.getByRole('gridcell').first().click()
    await page.getByRole('button', { name: `Copy Request ID ${call?.request_id}` }).waitFor()
  },
}

const toSwitchChannelsOff: Step = {
  path: '/channels',
  heading: 'Channels',
  async act({ page, ask }) {
    const statuses = async () =>
      (await ask('channel.list', {})).items.map(({ status }) => status).join()
    for (const [checked, expected] of [
      [true, '2,2'],
      [false, '1,1'],
    ] as const) {
      for (const one of ['Echo one', 'Echo two']) {
        // While it's being saved a switch takes no click.
        const state = { name: `Channel ${one} is on`, checked, disabled: false }
        await page.getByRole('switch', state).click({ force: true })
      }
      await expect.poll(statuses).toBe(expected)
    }
  },
}

const toMakeARoute: Step = {
  path: '/routes',
  heading: 'Routes',
  async act({ page, ask }) {
    await page.getByRole('button', { name: 'Create route' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name', { exact: true }).fill('walked')
    await form.getByLabel('Model').fill('echo-mini')
    await form.getByRole('button', { name: 'Create route' }).click()
    await page.getByRole('row').filter({ hasText: 'walked' }).waitFor()
    const [made] = await ask('route.list', {})
    expect(made).toMatchObject({ name: 'walked', targets: [{ model: 'echo-mini', channels: 2 }] })
  },
}

const toSeeTools: Step = {
  path: '/connect',
  heading: 'Connect',
  async act({ page }) {
    await page.getByRole('heading', { level: 3, name: 'Claude Code' }).waitFor()
    await page.getByText('Tokens', { exact: true }).click()
    await page.getByRole('button', { name: 'Create token' }).first().waitFor()
  },
}

const toMakeAToken: Step = {
  path: '/connect/tokens',
  heading: 'Connect',
  async act({ page, ask }) {
    await page.getByRole('button', { name: 'Create token' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name', { exact: true }).fill('walked')
    await form.getByLabel('Per day').fill('2')
    await form.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog', { name: 'Your new token' }).waitFor()
    await click(page, 'Done')
    await page.getByRole('row').filter({ hasText: 'walked' }).waitFor()
    const made = (await ask('token.list', {})).items.find(({ name }) => name === 'walked')
    expect(made?.day_budget).toBe(1_000_000)
  },
}

const toSaveTheUsage: Step = {
  path: '/usage',
  heading: 'Usage',
  async act({ page }) {
    await page.getByRole('row').filter({ hasText: 'echo' }).first().waitFor()
    await page.locator('.recharts-surface').first().waitFor()
    const file = await savedBy(page, 'Download CSV')
    expect(file.name).toMatch(/^usage-by-model-.*\.csv$/)
    expect(file.text).toContain(',echo,')
  },
}

const toSetAPrice: Step = {
  path: '/usage/prices',
  heading: 'Prices',
  async act({ page, ask }) {
    await page.getByText('All', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Model or vendor' }).fill('gpt-4o-mini')
    await click(page, 'gpt-4o-mini')
    const drawer = page.getByRole('dialog', { name: 'Prices of gpt-4o-mini' })
    await drawer.getByRole('textbox', { name: 'Input', exact: true }).fill('9')
    await drawer.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('row').filter({ hasText: 'gpt-4o-mini' }).first()
    await row.getByText('$9.00').waitFor()
    const price = (await ask('price.list', {})).items.find(({ model }) => model === 'gpt-4o-mini')
    expect([price?.source, price?.input]).toEqual(['own', 9])
  },
}

const toMakeAndRedeemACode: Step = {
  path: '/codes',
  heading: 'Codes',
  async act(walk) {
    const { page, ask } = walk
    const before = (await ask('user.self', {})).quota
    await page.getByRole('button', { name: 'Create codes' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create codes' })
    await form.getByLabel('Label').fill('walked')
    // From ten on they can be exported.
    await form.getByLabel('Quantity').fill('10')
    await form.getByLabel('Value').fill('5')
    await form.getByRole('button', { name: 'Create codes' }).click()
    const file = await savedBy(page, 'Download .txt')
    expect(file.text).toMatch(/^(\w{32}\n){10}$/)
    const code = file.text.slice(0, 32)
    await click(page, 'Done')
    await visit(walk, { path: '/redeem', heading: 'Redeem' })
    await page.getByLabel('Code', { exact: true }).fill(code)
    await click(page, 'Redeem')
    await page.getByText(/^\$5\.00 credited/).waitFor()
    await visit(walk, { path: '/codes', heading: 'Codes' })
    await page.getByRole('row').filter({ hasText: 'used' }).waitFor()
    expect((await ask('user.self', {})).quota).toBe(before + 2_500_000)
    expect((await savedBy(page, 'Export CSV')).text).toContain(code)
  },
}

const toLookAtOrders: Step = {
  path: '/payments',
  heading: 'Payments',
  async act({ page }) {
    await page.getByText('No orders yet').waitFor()
    expect(await page.getByRole('textbox', { name: 'Order number' }).count()).toBe(0)
  },
}

const toMakeAUser: Step = {
  path: '/users',
  heading: 'Users',
  async act({ page, ask }) {
    await click(page, 'Create user')
    const drawer = page.getByRole('dialog', { name: 'Create user' })
    await drawer.getByLabel('User name').fill('ada')
    await drawer.getByLabel('Password', { exact: true }).fill(walker.password)
    await drawer.getByLabel('Balance').fill('1.5')
    await drawer.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('row').filter({ hasText: 'ada' }).getByText('$1.50').waitFor()
    const made = (await ask('user.list', {})).items.find(({ username }) => username === 'ada')
    expect(made?.quota).toBe(750_000)
  },
}

const toSaveABundle: Step = {
  path: '/health',
  heading: 'Health',
  async act({ page }) {
    await page.getByRole('link', { name: 'Echo one' }).waitFor()
    await click(page, 'Save diagnostic bundle')
    const { name, text } = await savedBy(page, 'Save')
    expect(name).toMatch(/^switchyard-diagnostics-.*\.json$/)
    expect(JSON.parse(text)).toMatchObject({ channels: [{ id: 1 }, { id: 2 }] })
    await page.getByText(`Saved as ${name}.`).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  },
}

const toReadTheApi: Step = {
  path: '/api-reference',
  heading: 'API reference',
  async act({ page }) {
    await page.getByText(/^\d{3} operations$/).waitFor()
    await page.getByRole('textbox', { name: 'Filter by path, name or text' }).fill('tag/disabled')
    await page.getByRole('button', { name: /\/api\/channel\/tag\/disabled/ }).click()
    await page.getByText('curl -X POST').waitFor()
  },
}

const toDarken: Step = {
  path: '/settings',
  heading: 'Settings',
  async act({ page }) {
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
    await page.getByText('Dark', { exact: true }).click()
    await expect.poll(scheme).toBe('dark')
    await page.reload()
    await expect.poll(scheme).toBe('dark')
    await page.getByText('System', { exact: true }).click()
  },
}

const toUseASecondFactor: Step = {
  path: '/settings/security',
  heading: 'Settings',
  async act({ page, ask }) {
    const isOn = async () => (await ask('two-factor.status', {})).enabled
    await click(page, 'Set up')
    const picture = page.getByRole('img', { name: 'QR code of the secret' })
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await picture.or(stepUp).first().waitFor()
    // The desktop's window has no login that would do for it.
    if (await stepUp.isVisible()) {
      await stepUp.getByLabel('Your password').fill(walker.password)
      await click(page, 'Confirm')
    }
    await picture.waitFor()
    const secret = await page.getByRole('region', { name: 'Secret' }).locator('pre').textContent()
    const codes = (await savedBy(page, 'Download')).text.trim().split('\n')
    expect(codes).toHaveLength(4)
    const code = page.getByRole('textbox', { name: 'Code' })
    await code.fill(generateSync({ secret: (secret ?? '').trim() }))
    await click(page, 'Switch on')
    await page.getByText('4 backup codes left').waitFor()
    expect(await isOn()).toBe(true)

    await click(page, 'Switch off')
    await code.fill(codes[0] ?? '')
    await click(page, 'Switch off')
    await page.getByText('Not set up: the password alone opens this account.').waitFor()
    expect(await isOn()).toBe(false)
  },
}

const toAddAGroup: Step = {
  path: '/groups',
  heading: 'Groups',
  async act({ page, ask }) {
    await click(page, 'Add group')
    await page.getByRole('textbox', { name: 'Name:' }).last().fill('fast')
    await page.getByRole('textbox', { name: 'Factor: fast', exact: true }).fill('2.5')
    await click(page, 'Save groups')
    await page.getByText('Saved.').waitFor()
    expect(await ask('group.list', {})).toEqual(['default', 'fast'])
  },
}

const toSaveAnOption: Step = {
  path: '/settings/options',
  heading: 'Settings',
  async act(walk) {
    const { page } = walk
    const name = 'Max failovers'
    await page.getByRole('textbox', { name }).fill('5')
    await click(page, `Save ${name}`)
    await expect.poll(() => optionOf(walk, 'RetryTimes')).toBe('5')
    await page.getByRole('button', { name: `Reset to default: ${name}` }).click()
    await expect.poll(() => optionOf(walk, 'RetryTimes')).toBe('2')
  },
}

/** Every page of the console, in an order in which each finds what it needs. */
export const consoleWalk: readonly Step[] = [
  toMessage,
  toReadOfToday,
  toReadACall,
  toSwitchChannelsOff,
  toMakeARoute,
  toSeeTools,
  toMakeAToken,
  toSaveTheUsage,
  toSetAPrice,
  toMakeAndRedeemACode,
  toLookAtOrders,
  toMakeAUser,
  toSaveABundle,
  toReadTheApi,
  toDarken,
  toUseASecondFactor,
  toAddAGroup,
  toSaveAnOption,
]
