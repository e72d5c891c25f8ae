import { readFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Management } from '../management.ts'
import { connectTo } from './connect-command.ts'
import { connect, preview, stageAt, undo, viewOf } from './connect-stage.ts'
import { type ToolHome, toolHome } from './tool-home.ts'

const tools = ['claude-code', 'codex', 'gemini-cli', 'opencode']

async function both(): Promise<{ home: ToolHome; one: Management; two: Management }> {
  const home = toolHome()
  return { home, one: await stageAt(home), two: await stageAt(home) }
}

// A gateway that is asked for its name has less than a second, which a busy machine may take.
beforeEach(() => {
  const { timeout } = AbortSignal
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.max(ms, 30_000)))
})

const textOf = (home: ToolHome) => JSON.stringify(home.snapshot())

test.each(tools)(
  '%s: each sees the other, and undo in order leads back through both',
  async (tool) => {
    const { home, one, two } = await both()
    const original = home.snapshot()
    await connect(one, tool)
    const first = home.snapshot()
    expect(await viewOf(two, tool)).toMatchObject({
      ...{ status: 'elsewhere', other_gateway: one.gateway.url, other_gateway_before: null },
    })
    const { warnings } = await preview(two, tool)
    expect(warnings[0].message).toContain(`another Switchyard now, at ${one.gateway.url}`)
    await connect(two, tool)
    expect(await viewOf(one, tool)).toMatchObject({
      ...{ status: 'changed', other_gateway: two.gateway.url },
    })
    expect((await viewOf(two, tool)).other_gateway_before).toBe(one.gateway.url)

    const early = await undo(one, tool)
    expect([early.status, early.body.message]).toEqual([
      409,
      expect.stringContaining(`another Switchyard since, at ${two.gateway.url}`),
    ])
    const { body } = await undo(two, tool)
    expect(home.snapshot()).toEqual(first)
    expect(body.data.tool.other_gateway).toBe(one.gateway.url)
    await undo(one, tool)
    expect(home.snapshot()).toEqual(original)
  },
)

test.each(tools)('%s: undo can lead away from both', async (tool) => {
  const { home, one, two } = await both()
  await connect(one, tool)
  await connect(two, tool)
  const input = { tool, to: 'none' }
  const { body } = await two.owner.send('POST', '/api/connect/undo', input)
  expect(body.data.tool, body.message).toMatchObject({ status: 'elsewhere', other_gateway: null })
  expect(textOf(home)).not.toMatch(/127\.0\.0\.1|sk-\w{20}/)
  expect(textOf(home)).toContain('mine')
  // The first one sees it, and its own undo brings back what was there before it.
  const view = await viewOf(one, tool)
  expect(view).toMatchObject({ status: 'changed', can_undo: true })
  expect((await undo(one, tool)).status).toBe(200)
  expect(textOf(home)).not.toMatch(/127\.0\.0\.1|sk-\w{20}/)
})

test.each(tools)(
  '%s: without another Switchyard before, undo to none restores all',
  async (tool) => {
    const home = toolHome()
    const stage = await stageAt(home)
    const original = home.snapshot()
    await connect(stage, tool)
    const { status, body } = await stage.owner.send('POST', '/api/connect/undo', {
      tool,
      to: 'none',
    })
    expect(status, body.message).toBe(200)
    expect(home.snapshot()).toEqual(original)
  },
)

test.each(tools)(
  '%s: connected here again after the other took it, undo still leads to the first original',
  async (tool) => {
    const { home, one, two } = await both()
    const original = home.snapshot()
    await connect(one, tool)
    await connect(two, tool)
    const { status, body } = await connect(one, tool)
    expect(status, body.message).toBe(200)
    expect(textOf(home)).not.toContain(two.gateway.url)
    await undo(one, tool)
    expect(home.snapshot()).toEqual(original)
    // The other gateway's record is out of date: its undo restores neither address.
    const late = await undo(two, tool)
    expect(late.status, late.body.message).toBe(200)
    expect(textOf(home)).not.toMatch(/127\.0\.0\.1|sk-\w{20}/)
  },
)

test('a provider that the other one set is left alone, also while that one is stopped', async () => {
  const { home, one, two } = await both()
  await connect(one, 'opencode')
  await connect(two, 'opencode')
  const { url } = two.gateway
  await two.gateway.close()
  await new Promise((resolve) => setTimeout(resolve, 5_100))
  const { status, body } = await undo(one, 'opencode')
  expect(status, body.message).toBe(200)
  const path = home.at('.config/opencode/opencode.jsonc')
  expect(readFileSync(path, 'utf8')).toContain(`${url}/v1`)
})

test('disconnecting all says which tools point to the other one again', async () => {
  const { home, one, two } = await both()
  await connect(one, 'codex')
  const first = home.snapshot()
  await connect(two, 'codex')
  await connect(two, 'opencode')
  const { body } = await two.owner.send('POST', '/api/connect/undo-all', {})
  expect(body.data).toMatchObject({
    ...{ undone: ['codex', 'opencode'], failed: [] },
    other_gateways: [{ tool: 'codex', address: one.gateway.url }],
  })
  expect(home.snapshot()).toEqual(first)
})

test('npm run connect asks where undo shall lead', async () => {
  const { home, one, two } = await both()
  await connect(one, 'codex')
  const first = home.snapshot()
  expect((await connectTo(two)('--list')).stdout).toMatch(/^codex +another Switchyard +http/m)
  await connect(two, 'codex')
  const back = await connectTo(two)('codex --undo', 'y\n')
  expect(back.stdout).toContain(`Codex points to another Switchyard again, at ${one.gateway.url}`)
  expect(home.snapshot()).toEqual(first)
  await connect(two, 'codex')
  const away = await connectTo(two)('codex --undo', 'n\n')
  expect([away.code, away.stderr]).toEqual([0, ''])
  expect(textOf(home)).not.toMatch(/127\.0\.0\.1/)
})
