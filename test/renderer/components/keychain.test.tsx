import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { CallFailure } from '../../../renderer/gateway/call-failure.ts'
import { chinese } from '../../../renderer/i18n/chinese/texts.ts'
import { english } from '../../../renderer/i18n/english/texts.ts'
import { createFakeGateway, type FakeGateway, goodHealth } from '../fake-client.ts'
import { channelRecord } from '../pages/channels/channel-records.ts'
import { renderConsole } from '../render-console.tsx'

const server = { url: 'http://127.0.0.1:4747', ledger_problem: null, started_at: 1 }
const locked = {
  locked: true,
  reason: 'denied',
  since: 1_795_000_000,
  protection: null,
  keychain: 'gnome_libsecret',
  sealed: {
    ...{ channels: 3, tokens: 1, access_tokens: 0 },
    ...{ second_factors: 1, preferences: 0, payment_secrets: 0 },
  },
}

/** A gateway whose keychain is locked until `unlock` is called. */
function lockedGateway(): { gateway: FakeGateway; unlock: () => void } {
  let isLocked = true
  const warning = { code: 'keychain_locked', message: 'Keychain locked: …', since: null }
  const page = (items: unknown[]) => ({ page: 1, page_size: 50, total: items.length, items })
  const gateway = createFakeGateway({
    'server.get': () => ({ ...server, keychain_locked: isLocked }),
    'keychain.get': () => locked,
    'keychain.retry': () => locked,
    'diagnostics.health': () =>
      isLocked ? { ...goodHealth, status: 'failing', warnings: [warning] } : goodHealth,
    'channel.search': () =>
      page([channelRecord({ id: 1, name: 'Vendor', key_locked: isLocked, key_preview: '' })]),
  })
  return {
    gateway,
    unlock() {
      isLocked = false
    },
  }
}

const banner = async () =>
  (await screen.findByText('Keychain locked')).closest('[role=alert]') as HTMLElement
const asked = (gateway: FakeGateway, wanted: string) =>
  gateway.calls.filter(({ name }) => name === wanted)

describe('a locked keychain', () => {
  test('is told once on every page with its reason, and its channels do not ask for keys', async () => {
    const { gateway } = lockedGateway()
    renderConsole(gateway, '/channels')
    const alert = await banner()
    await within(alert).findByText(/refuses access to the stored keys/)
    expect(within(alert).getByText(/Protected by gnome_libsecret/)).toBeTruthy()
    expect(await screen.findByText('keychain locked')).toBeTruthy()
    expect(screen.queryByText('enter key again')).toBeNull()
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  })

  test('is asked again, and all that was read is read anew once it is open', async () => {
    const { gateway, unlock } = lockedGateway()
    const user = renderConsole(gateway, '/channels')
    await user.click(within(await banner()).getByRole('button', { name: 'Try again' }))
    expect(asked(gateway, 'keychain.retry')).toHaveLength(1)
    expect(await screen.findByText('keychain locked')).toBeTruthy()
    unlock()
    gateway.push('server')
    await waitFor(() => expect(screen.queryByText('Keychain locked')).toBeNull())
    await waitFor(() => expect(screen.queryByText('keychain locked')).toBeNull())
  })

  test('costs its keys only after a word that names them, and a proof', async () => {
    const { gateway, unlock } = lockedGateway()
    let isProved = false
    gateway.answer('keychain.forget', () => {
      if (!isProved) {
        throw new CallFailure({ code: 'VERIFICATION_REQUIRED', message: 'Prove it.', status: 403 })
      }
      unlock()
      return { kept: 'secret.key.forgotten-1' }
    })
    gateway.answer('verify.status', () => ({ verified: false, methods: ['password'] }))
    gateway.answer('verify.run', () => {
      isProved = true
      return { verified: true, expires_at: 1 }
    })
    const user = renderConsole(gateway, '/connect/tokens')
    const alert = await banner()
    await within(alert).findByText(/refuses access/)
    await user.click(within(alert).getByRole('button', { name: 'Forget stored keys…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Forget stored keys' })
    const words = 'the keys of 3 channels, 1 token, 1 second factor.'
    expect(dialog.textContent).toContain(words)
    expect(asked(gateway, 'keychain.forget')).toHaveLength(0)
    await user.click(within(dialog).getByRole('button', { name: 'Forget stored keys' }))
    await user.type(await screen.findByLabelText('Your password'), 'correct horse')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(screen.queryByText('Keychain locked')).toBeNull())
    expect(asked(gateway, 'keychain.forget').at(-1)?.input).toEqual({ confirm: true })
  })

  test('is told to others than the owner without anything to press', async () => {
    const { gateway } = lockedGateway()
    gateway.answer('user.self', () => ({ id: 3, username: 'bob', role: 1, has_password: true }))
    gateway.answer('keychain.get', () => ({ ...locked, keychain: null, sealed: null }))
    renderConsole(gateway, '/connect/tokens')
    const alert = await banner()
    await within(alert).findByText(/refuses access/)
    expect(within(alert).queryAllByRole('button')).toEqual([])
  })

  test('in Chinese has words of its own', () => {
    const texts = chinese.translation.keychain
    expect(texts.title).toBe('钥匙串已锁定')
    expect(Object.keys(texts)).toEqual(Object.keys(english.translation.keychain))
  })
})
