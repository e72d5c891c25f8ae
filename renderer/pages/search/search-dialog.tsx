import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SearchResults } from './search-results.tsx'

interface SearchDialogProps {
  opened: boolean
  onClose: () => void
}

export function SearchDialog({ opened, onClose }: SearchDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={540}
      centered={false}
      yOffset="12vh"
      attributes={{ content: { 'aria-label': t('common.search') } }}
    >
      <SearchResults onDone={onClose} />
    </Modal>
  )
}
