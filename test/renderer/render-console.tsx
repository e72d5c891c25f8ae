import { cleanup, configure, getConfig, render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import { Console } from '../../renderer/console.tsx'
import type { GatewayClient } from '../../renderer/gateway/client.ts'
import { chinese } from '../../renderer/i18n/chinese/texts.ts'
import { english } from '../../renderer/i18n/english/texts.ts'
import type { Language } from '../../renderer/i18n/languages.ts'
import { startTranslation } from '../../renderer/i18n/start-translation.ts'

// A busy machine takes its time; nothing here waits longer than it must.
const { getElementError } = getConfig()
configure({
  asyncUtilTimeout: 30_000,
  // Whatever waits makes such an error at each look; the page is written out for the one that is read.
  getElementError(message, container) {
    const told = () => getElementError(message, container).message
    return Object.defineProperty(new Error(), 'message', { get: told, configurable: true })
  },
})

/**
 * The whole console at a path below /console, over the given client, or a part of it alone; the test's end takes it
 * away.
 */
export function renderConsole(
  client: GatewayClient,
  path = '/',
  part?: ReactNode,
  language: Language = 'en',
) {
  prepareWindow()
  onTestFinished(() => {
    cleanup()
    localStorage.clear()
  })
  window.history.replaceState(null, '', `/console${path}`)
  const texts = language === 'zh' ? chinese : english
  render(
    <Console client={client} translation={startTranslation(language, texts)} environment="test">
      {part}
    </Console>,
  )
  // Without style sheets nothing here knows what takes no clicks; reach-faults.ts looks for that in a browser.
  return typingFast(userEvent.setup({ pointerEventsCheck: 0 }))
}

/** More typed letters than these say nothing new of a field. */
const TYPED = 2

/**
 * Types the first letters, so that a field that loses the focus or a letter is noticed, and pastes the rest: each
 * letter draws the page anew. `user.keyboard` types all.
 */
function typingFast(user: UserEvent): UserEvent {
  return {
    ...user,
    async type(field, text, options) {
      // Braces and brackets name keys.
      const letters = options || /[{[\n]/.test(text) ? text : text.slice(0, TYPED)
      await user.type(field, letters, options)
      if (letters.length < text.length) await user.paste(text.slice(letters.length))
    },
  }
}

/** Mantine asks these of a browser, and happy-dom lacks them. */
function prepareWindow(): void {
  window.matchMedia ??= ((query: string) => ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  })) as unknown as typeof window.matchMedia
  Element.prototype.scrollIntoView ??= () => {}
  if (!document.fonts) {
    const fonts = { addEventListener() {}, removeEventListener() {} }
    Object.defineProperty(document, 'fonts', { value: fonts })
  }
}
