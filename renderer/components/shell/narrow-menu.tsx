import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Sidebar } from './sidebar.tsx'

interface NarrowMenuProps {
  opened: boolean
  onClose: () => void
}

/** The sidebar where the window is too narrow for it. */
export function NarrowMenu({ opened, onClose }: NarrowMenuProps) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="left"
      size={230}
      padding={0}
      withCloseButton={false}
      styles={{ body: { height: '100%' } }}
      title={undefined}
      attributes={{ content: { 'aria-label': t('shell.navigation') } }}
    >
      <Sidebar onNavigate={onClose} />
    </Drawer>
  )
}
