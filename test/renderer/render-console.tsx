import { cleanup, configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import { Console } from '../../renderer/console.tsx'
import type { GatewayClient } from '../../renderer/gateway/client.ts'
import { chinese } from '../../renderer/i18n/chinese/texts.ts'
import { english } from '../../renderer/i18n/english/texts.ts'
import type { Language } from '../../renderer/i18n/languages.ts'
import { startTranslation } from '../../renderer/i18n/start-translation.ts'

// A busy machine takes its time; nothing here waits longer than it must.
configure({ asyncUtilTimeout: 8000 })

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
  return userEvent.setup({ pointerEventsCheck: 0 })
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
