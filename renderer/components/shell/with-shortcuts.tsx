import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useRef } from 'react'
import { lazyCode } from '../lazy/lazy-code.ts'
import { LazyPart } from '../lazy/lazy-part.tsx'
import { useFocusBack } from '../lazy/use-focus-back.ts'
import { OpenShortcuts } from '../shortcuts/open-shortcuts.ts'
import { isDialogOpen } from '../shortcuts/shortcuts.ts'
import { useShortcut } from '../shortcuts/use-shortcut.ts'

const shortcutsDialog = lazyCode(
  async () => (await import('../shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog,
)

/** The dialog of the shortcuts, which `?` and the search open. */
export function WithShortcuts({ children }: { children: ReactNode }) {
  const [opened, dialog] = useDisclosure(false)
  const wasOpened = useRef(false)
  wasOpened.current ||= opened
  useFocusBack(opened)
  useShortcut('shortcuts', () => {
    // Over another dialog, Esc would close both.
    if (opened || !isDialogOpen()) dialog.toggle()
  })
  return (
    <OpenShortcuts value={dialog.open}>
      {children}
      {wasOpened.current && (
        <LazyPart code={shortcutsDialog} props={{ opened, onClose: dialog.close }} isOver />
      )}
    </OpenShortcuts>
  )
}
