import { readdirSync, readFileSync } from 'node:fs'
import { cleanup, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import type { OperationOutput, Reason } from '../../preload/contract.ts'
import { CallFailure } from '../../renderer/gateway/call-failure.ts'
import { chinese } from '../../renderer/i18n/chinese/texts.ts'
import { sentenceOf } from '../../renderer/i18n/sentence-of.ts'
import { startTranslation } from '../../renderer/i18n/start-translation.ts'
import { Differences } from '../../renderer/pages/calls/inspector/body/differences.tsx'
import { FormatViews } from '../../renderer/pages/calls/inspector/formats/format-views.tsx'
import { statusNoteOf } from '../../renderer/pages/channels/status-note.ts'
import { ErrorCard } from '../../renderer/pages/playground/run/error-card.tsx'
import { createFakeGateway, goodHealth } from './fake-client.ts'
import { callRecord, listOf } from './pages/calls/call-records.ts'
import { channelHealth, channelRecord, pageOf } from './pages/channels/channel-records.ts'
import { toolView } from './pages/connect/tool-views.ts'
import { renderConsole } from './render-console.tsx'

const renderPart = (part: ReactNode) => {
  renderConsole(createFakeGateway(), '/', part, 'zh')
  return { container: () => screen.getByRole('alert') }
}

const fail = (status: number, code: string, message: string, reason?: Reason) => () => {
  throw new CallFailure({ status, code, message, reason })
}

test('a refused login is told in Chinese', async () => {
  const gateway = createFakeGateway({
    'user.self': fail(401, 'unauthenticated', 'Sign in first.', { code: 'not_signed_in' }),
    'session.login': fail(401, 'invalid_credentials', 'User name or password is wrong.', {
      code: 'login_wrong',
    }),
  })
  const user = renderConsole(gateway, '/', undefined, 'zh')
  await user.type(await screen.findByLabelText('用户名'), 'ada')
  await user.type(screen.getByLabelText('密码'), 'wrong')
  await user.keyboard('{Enter}')
  expect(await screen.findByText('用户名或密码错误，或账户已停用。')).toBeTruthy()
})

test('the wrong code that locks says in Chinese for how long', () => {
  const why = { code: 'backup_code_used' }
  const reason = { code: 'wrong_and_locked', why, seconds: 300 }
  expect(sentenceOf({ message: 'Wrong. Locked.', reason }, inChinese)).toBe(
    '此备用码已使用过。请输入另一个，或输入应用显示的验证码。错误次数过多，请在 5 分钟后重试。',
  )
  const soon = { code: 'too_many_requests', seconds: 45 }
  expect(sentenceOf({ message: 'Too many.', reason: soon }, inChinese)).toBe(
    '请求过多，请在 45 秒后重试。',
  )
})

test('a wait is never said in Chinese to be shorter than it is, and a port is no amount', () => {
  const seconds = { code: 'too_many_requests', seconds: 150 }
  expect(sentenceOf({ message: 'Too many.', reason: seconds }, inChinese)).toContain('3 分钟')
  const port = { code: 'fetch_port', port: 4747, ports: '443' }
  const taken = sentenceOf({ message: 'No.', reason: port }, inChinese)
  expect(taken).toContain('4747')
})

test('why two sides can’t be compared is told in Chinese', async () => {
  const gateway = createFakeGateway({
    'capture.diff': fail(409, 'conflict', 'The client’s request was cut at 1024 bytes.', {
      ...{ code: 'compare_cut', side: { code: 'side_client_request' }, bytes: 1024 },
    }),
  })
  const part = <Differences requestId="r" exchange={0} side="request" />
  renderConsole(gateway, '/', part, 'zh')
  expect(await screen.findByText('客户端的请求在 1,024 字节处被截断，无法比较。')).toBeTruthy()
})

type Loss = OperationOutput<'capture.formats'>['formats'][number]['losses'][number]

test('what a conversion lost is told in Chinese; an older row’s note as it was written', async () => {
  const told: Loss = {
    ...{ path: 'tools[0]', kind: 'approximated', note: 'its schema is only told, not …' },
    reason: { code: 'schema_told', changes: [{ code: 'recursion' }, 'oneOf'] },
  }
  const old: Loss = { path: 'seed', kind: 'dropped', note: 'an old note' }
  const chineseNote = '其 schema 只告知模型，不强制执行：递归、oneOf'
  const gateway = createFakeGateway({
    'capture.diff': () => ({
      changes: [{ path: 'tools[0]', kind: 'changed', from: '1', to: '2', loss: told }],
      losses: [{ ...old, is_placed: false }],
    }),
  })
  renderConsole(gateway, '/', <Differences requestId="r" exchange={0} side="request" />, 'zh')
  expect(await screen.findByText(chineseNote)).toBeTruthy()
  expect(screen.getByText('an old note')).toBeTruthy()
  const formats = [
    { format: 'chat' as const, body: '{}', losses: [told, old], error: null },
    { format: 'messages' as const, body: '{}', losses: [told, old], error: null },
  ]
  renderConsole(createFakeGateway(), '/', <FormatViews formats={formats} />, 'zh')
  const list = await screen.findByRole('list', { name: '转换损失' })
  expect(list.textContent).toContain(chineseNote)
  expect(list.textContent).toContain('an old note')
  const other = {
    loss: [told, old],
    explicit_cache: {
      ...{ action: 'none', why: 'the marked prompt …' },
      reason: { code: 'prompt_below_minimum', tokens: 900, least: 1024 },
    },
  }
  const call = callRecord({ other: JSON.stringify(other) })
  const rows = createFakeGateway({ 'call.timeline': listOf(call) })
  const user = renderConsole(rows, '/calls?open=request-1&tab=route', undefined, 'zh')
  const route = await screen.findByRole('tabpanel', { name: '路由' })
  expect(within(route).getByText(chineseNote)).toBeTruthy()
  expect(within(route).getByText('an old note')).toBeTruthy()
  await user.click(screen.getByRole('tab', { name: '用量' }))
  expect(
    await screen.findByText(/标记的提示词约有 900 个 token，少于此模型的下限 1,024/),
  ).toBeTruthy()
})

test('why a call of a session can’t be read is told in Chinese', async () => {
  const session = {
    ...{ id: 'a', user_id: 1, username: 'ada', token_name: '', client: '', title: null },
    ...{ started_at: 1, ended_at: 2, calls: 1, errors: 0, models: ['m'], prompt_tokens: 1 },
    ...{
      cached_tokens: 0,
      completion_tokens: 1,
      cache_hit_rate: 0,
      quota: null,
      unpriced: 1,
      estimated: 0,
    },
  }
  const call = {
    ...{ request_id: 'r', created_at: 1, use_time_ms: 5, model_name: 'm', channel_name: '' },
    ...{ status: 200, error: '', kind: 'main', agent: null, prompt_tokens: 1, cached_tokens: 0 },
    ...{ cache_write_tokens: 0, completion_tokens: 1, reasoning_tokens: 0, is_estimated: false },
    ...{ is_unpriced: true, quota: 0, quota_so_far: null, input: null, output: null },
    ...{ unpriced_so_far: 1, estimated_so_far: 0 },
    problem: 'The session is too long to show all of it here.',
    reason: { code: 'session_too_long' },
  }
  const gateway = createFakeGateway({
    'agent-session.get': () => ({ session, calls: [call] }),
    'agent-session.doctor': () => ({ summary: '', compared: 0, findings: [], causes: [] }),
  })
  renderConsole(gateway, '/calls/sessions?id=a&user=1', undefined, 'zh')
  expect(await screen.findByText('会话过长，无法在此全部显示。')).toBeTruthy()
})

test('entries of the audit log and warnings are told in Chinese, with their values', async () => {
  const entry = {
    ...{ user_id: 1, username: 'ada', created_at: 1_900_000_000, ip: '', quota: 0, by: '' },
    kind: 'admin',
  }
  const items = [
    {
      ...{ ...entry, id: 2, content: 'The balance of "bob" was changed from $1.00 to $2.50.' },
      reason: { code: 'audit_balance', user: 'bob', before: '$1.00', after: '$2.50' },
    },
    { ...entry, id: 1, content: 'An old entry.' },
  ]
  const warning = {
    ...{ code: 'channels_cooling', message: '1200 channels cooling down.', since: null },
    reason: { code: 'health_channels_cooling', count: 1200, names: '"Work"' },
  }
  const gateway = createFakeGateway({
    'audit.list': () => ({ page: 1, page_size: 20, total: 2, items }),
    'diagnostics.health': () => ({ ...goodHealth, status: 'warning', warnings: [warning] }),
    'session.list': () => [],
  })
  renderConsole(gateway, '/settings/security', undefined, 'zh')
  expect(await screen.findByText('“bob”的余额从 $1.00 改为 $2.50。')).toBeTruthy()
  expect(screen.getByText('An old entry.')).toBeTruthy()
  renderConsole(gateway, '/health', undefined, 'zh')
  expect(await screen.findByText('1,200 个渠道在失败后冷却中："Work"。')).toBeTruthy()
})

test('steps of a tool are told in Chinese, with what is copied', async () => {
  const cursor = toolView({
    ...{ id: 'cursor', name: 'Cursor', kind: 'instruction', snippets: [] },
    steps: [
      {
        message: 'Add the model `<model>` and switch it on.',
        reason: { code: 'cursor_model', model: '<model>' },
      },
    ],
  })
  const gateway = createFakeGateway({
    'connect.tools': () => ({
      ...{ local: true, tools: [cursor] },
      machine: { home: '/home/ada', kind: 'plain', home_problem: null },
    }),
  })
  renderConsole(gateway, '/connect?tool=cursor', undefined, 'zh')
  const drawer = await screen.findByRole('dialog')
  const item = await within(drawer).findByRole('listitem')
  expect(item.textContent).toContain('添加模型 <model> 并启用。')
})

test('a sentence without a translation says in Chinese of which kind it is', async () => {
  const gateway = createFakeGateway({
    'redemption.search': fail(409, 'conflict', 'The list is being rebuilt.'),
  })
  renderConsole(gateway, '/codes', undefined, 'zh')
  expect(await screen.findByText('与当前状态冲突：The list is being rebuilt.')).toBeTruthy()
})

test('a failed call says in Chinese of which kind its failure is, before the vendor’s words', async () => {
  const { container } = renderPart(
    <ErrorCard
      title="Failed"
      failure={{
        ...{ problem: 'refused', message: 'You may use $3.00 a day.', status: 403 },
        ...{ code: 'budget_exceeded', requestId: null },
      }}
    />,
  )
  expect(container().textContent).toContain('超出预算：You may use $3.00 a day.')
})

test('why the gateway refused a call is told in Chinese; an older row says it in English', async () => {
  const refused = (id: string, other: object) =>
    callRecord({
      ...{ type: 5, status: 403, request_id: id, content: 'The token "laptop" is disabled.' },
      other: JSON.stringify({ error_code: 'token_disabled', ...other }),
    })
  const reason = { code: 'token_is_disabled', token: 'laptop' }
  const told = refused('new', { error_reason: reason })
  const gateway = createFakeGateway({ 'call.one': () => told })
  renderConsole(gateway, '/calls?open=new', undefined, 'zh')
  expect(
    await screen.findByText('令牌“laptop”已停用。请在控制台的“连接 → 令牌”中启用。'),
  ).toBeTruthy()
  const older = createFakeGateway({ 'call.one': () => refused('old', {}) })
  renderConsole(older, '/calls?open=old', undefined, 'zh')
  expect(await screen.findByText(/：The token "laptop" is disabled\.$/)).toBeTruthy()
})

test('why an attempt failed is told in Chinese; a vendor’s words and an older row’s as they are', async () => {
  const attempt = { channel: 1, at: 0, ms: 5, code: 'invalid_request' }
  const refused = {
    ...{ ...attempt, message: 'n: must be 1: this upstream gives one answer.' },
    reason: { code: 'body_field_wrong', field: 'n', why: { code: 'one_answer' } },
  }
  const attempts = [refused, { ...attempt, message: 'An old sentence.' }]
  const call = callRecord({ other: JSON.stringify({ admin_info: { route: { attempts } } }) })
  const gateway = createFakeGateway({ 'call.timeline': listOf(call) })
  renderConsole(gateway, '/calls?open=request-1&tab=route', undefined, 'zh')
  const route = await screen.findByRole('tabpanel', { name: '路由' })
  expect(within(route).getByText('n：必须为 1：此上游只给出一个回答。')).toBeTruthy()
  expect(within(route).getByText('An old sentence.')).toBeTruthy()
})

test('why a channel is cooling down is told in Chinese, on Channels and among a call’s candidates', async () => {
  const cause: Reason = {
    ...{ code: 'at_address', address: 'https://api.example' },
    why: { code: 'upstream_first_byte_late', seconds: 30 },
  }
  const said = 'https://api.example：上游在 30 秒内没有开始回答（首字节时限）。'
  const cooling = {
    state: 'open',
    until: Date.now() + 60_000,
    reason: 'The upstream at …',
  } as const
  const list = createFakeGateway({
    'channel.search': () => pageOf([channelRecord({ id: 7, name: 'Work' })]),
    'channel.health': () => [channelHealth({ id: 7, ...cooling, why: cause })],
  })
  renderConsole(list, '/channels', undefined, 'zh')
  expect(await screen.findByText(said)).toBeTruthy()
  const candidate = { id: 7, name: 'Work', why: 'open', reason: 'The upstream at …', coded: cause }
  const route = { candidates: [candidate], attempts: [] }
  const call = callRecord({ other: JSON.stringify({ admin_info: { route } }) })
  const calls = createFakeGateway({ 'call.timeline': listOf(call) })
  renderConsole(calls, '/calls?open=request-1&tab=route', undefined, 'zh')
  const panel = await screen.findByRole('tabpanel', { name: '路由' })
  expect(within(panel).getByText(said)).toBeTruthy()
})

const inChinese = startTranslation('zh', chinese)

test('a part of a sentence is told in Chinese as well, and a vendor’s own words stay', () => {
  const reason = {
    ...{ code: 'audit_channel_disabled', channel: 'Work', id: 3 },
    why: {
      ...{ code: 'failures_in_a_row', count: 2 },
      last: { code: 'upstream_said', status: 401, said: 'Bad key.' },
    },
  }
  expect(sentenceOf({ message: 'Disabled channel "Work" (3): …', reason }, inChinese)).toBe(
    '已停用渠道“Work”（3）：连续失败 2 次，最后一次：上游返回 401：“Bad key.”',
  )
})

test('a number that is a name has no separators in Chinese, a count has them', () => {
  const reason = { code: 'no_channel', id: 12_345 }
  expect(sentenceOf({ message: 'No channel 12345', reason }, inChinese)).toContain('12345')
  const many = { code: 'failures_in_a_row', count: 1234, last: { code: 'key_unknown' } }
  expect(sentenceOf({ message: '1234 failures', reason: many }, inChinese)).toContain('1,234')
})

test('why the gateway disabled a channel is told in Chinese in the list and on the health page', async () => {
  const other_info = JSON.stringify({
    ...{ status_reason: 'All keys are disabled', status_time: 1_795_000_000 },
    status_why: { code: 'all_keys_disabled' },
  })
  const off = channelRecord({ id: 7, name: 'Work', status: 3, other_info })
  for (const path of ['/channels', '/health']) {
    const gateway = createFakeGateway({
      ...{ 'channel.search': () => pageOf([off]), 'channel.list': () => pageOf([off]) },
      'channel.health': () => [channelHealth({ id: 7 })],
    })
    renderConsole(gateway, path, undefined, 'zh')
    const name = path === '/health' ? 'link' : 'button'
    const row = (await screen.findByRole(name, { name: 'Work' })).closest('tr') as HTMLElement
    expect(await within(row).findByText(/所有密钥都已停用/)).toBeTruthy()
    cleanup()
  }
})

test('why a channel is disabled is told in Chinese, and in the words that old rows have', async () => {
  const note = (status_why?: Reason) =>
    JSON.stringify({ status_reason: 'Disabled by ada', status_time: 0, status_why })
  expect(statusNoteOf({ other_info: note() })).toEqual({ reason: 'Disabled by ada', time: 0 })
  const told = statusNoteOf({ other_info: note({ code: 'disabled_by', user: 'ada' }) })
  expect(sentenceOf({ message: 'Disabled by ada', reason: told?.why }, inChinese)).toBe(
    '由 ada 停用',
  )
})

test('a Chinese sentence names all that the gateway gives it, as the English one does', () => {
  const folder = 'main/base/sentences'
  const missing = readdirSync(folder).flatMap((file) => {
    const lines = readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^ {2}(\w+): \{ (.+) \}$/gm)
    return [...lines].flatMap(([, code = '', values = '']) => {
      const text = (chinese.sentences as Record<string, string | undefined>)[code]
      const names = values.split('; ').flatMap((value) => /^(\w+):/.exec(value)?.[1] ?? [])
      const isLeftOut = (name: string) =>
        !text?.includes(`{{${name}}}`) && !(name === 'seconds' && text?.includes('{{wait}}'))
      return text === undefined ? [] : names.filter(isLeftOut).map((name) => `${code}.${name}`)
    })
  })
  expect(missing).toEqual([])
})
