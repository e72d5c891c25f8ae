import { Drawer, type DrawerProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveDialog } from './leave-dialog.tsx'
import { DrawerForms, type UnsavedForm } from './use-unsaved.ts'

/** A drawer around a form. By Esc, a click outside or its button it closes at once, or asks if the form has edits. */
export function FormDrawer({ onClose, closeOnEscape = true, children, ...rest }: DrawerProps) {
  const { t } = useTranslation()
  const [forms] = useState(() => new Set<UnsavedForm>())
  const [isAsking, setAsking] = useState(false)
  // Later, or the Esc that asks would answer too: the dialog hears it after the drawer.
  const ask = () => setTimeout(() => setAsking(true))
  const keep = () => setAsking(false)
  return (
    <>
      <Drawer
        {...rest}
        onClose={() => (forms.size > 0 ? ask() : onClose())}
        // Esc answers only the dialog above.
        closeOnEscape={closeOnEscape && !isAsking}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <DrawerForms.Provider value={forms}>{children}</DrawerForms.Provider>
      </Drawer>
      <LeaveDialog
        opened={isAsking}
        title={t('common.discardTitle')}
        text={t('common.discardText')}
        stay={t('common.keepEditing')}
        leave={t('common.discard')}
        onStay={keep}
        onLeave={() => {
          keep()
          forms.clear()
          onClose()
        }}
      />
    </>
  )
}
