import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AroundNavHandler, Router } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { useGateway } from '../../gateway/gateway-context.ts'
import { lazyCode } from '../lazy/lazy-code.ts'
import { LazyPart } from '../lazy/lazy-part.tsx'
import { Leave, type UnsavedForm, UnsavedForms } from './use-unsaved.ts'

const leaveDialog = lazyCode(async () => (await import('./leave-dialog.tsx')).LeaveDialog)

/**
 * The router. It asks before a page with edits is left: by a link, by Back, or by closing the tab. Back also closes a
 * drawer, so it asks there too.
 */
export function LeaveGuard({ base, children }: { base: string; children: ReactNode }) {
  const { t } = useTranslation()
  const { transport } = useGateway()
  const [forms] = useState(() => new Set<UnsavedForm>())
  const [leave, setLeave] = useState<(() => void) | null>(null)
  const wasAsked = useRef(false)
  wasAsked.current ||= leave !== null
  const here = useRef({ path: window.location.pathname, search: window.location.search })

  const askFirst = useCallback(
    (run: () => void) => (forms.size === 0 ? run() : setLeave(() => run)),
    [forms],
  )

  const go: AroundNavHandler = (navigate, to, options) => {
    const { pathname: path, search } = new URL(to, window.location.href)
    const run = () => {
      here.current = { path, search }
      navigate(to, options)
    }
    const lost = [...forms].filter((form) => !form.isKept)
    // On the same page another record may take the place of the one in the drawer; closing it replaces the address.
    const isAnother = path !== here.current.path
    const isOtherRecord = !options?.replace && search !== here.current.search
    const isInDrawer = lost.some((form) => form.isInDrawer)
    if (lost.length > 0 && (isAnother || (isOtherRecord && isInDrawer))) askFirst(run)
    else run()
  }

  const current = useRef(go)
  current.current = go

  useEffect(() => {
    // Captured, so that it runs before the router reads the new path.
    const onBack = (event: PopStateEvent) => {
      const { pathname, search } = window.location
      const lost = [...forms].filter((form) => !form.isKept)
      const isLoss =
        pathname === here.current.path ? lost.some((form) => form.isInDrawer) : lost.length > 0
      if (!isLoss) {
        here.current = { path: pathname, search }
        return
      }
      event.stopImmediatePropagation()
      window.history.pushState(null, '', `${here.current.path}${here.current.search}`)
      setLeave(() => () => {
        here.current = { path: pathname, search }
        window.history.pushState(null, '', `${pathname}${search}`)
      })
    }
    // The desktop’s tray, notifications and links open pages by it.
    const onOpen = (event: Event) => {
      const { detail: to } = event as CustomEvent<string>
      event.preventDefault()
      current.current(navigate, to)
    }
    const onClose = (event: BeforeUnloadEvent) => forms.size > 0 && event.preventDefault()
    window.addEventListener('popstate', onBack, true)
    window.addEventListener('console-open', onOpen)
    // Electron would refuse to close the window, without a word.
    if (transport === 'http') window.addEventListener('beforeunload', onClose)
    return () => {
      window.removeEventListener('popstate', onBack, true)
      window.removeEventListener('console-open', onOpen)
      window.removeEventListener('beforeunload', onClose)
    }
  }, [forms, transport])

  const stay = () => setLeave(null)
  const told = [...forms].find(({ lostText }) => lostText !== undefined)
  return (
    <UnsavedForms.Provider value={forms}>
      <Leave.Provider value={askFirst}>
        <Router base={base} aroundNav={go}>
          {children}
        </Router>
      </Leave.Provider>
      {wasAsked.current && (
        <LazyPart
          code={leaveDialog}
          props={{
            opened: leave !== null,
            title: t('common.leaveTitle'),
            text: told?.lostText ?? t('common.leaveText'),
            stay: t('common.stay'),
            leave: t('common.leave'),
            onStay: stay,
            onLeave: () => {
              stay()
              leave?.()
            },
          }}
          isOver
        />
      )}
    </UnsavedForms.Provider>
  )
}
