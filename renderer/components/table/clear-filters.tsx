import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface ClearFiltersProps {
  isFiltered: boolean
  onClear: () => void
}

/** Keeps its place while nothing is filtered, so that the list below doesn't move when it comes. */
export function ClearFilters({ isFiltered, onClear }: ClearFiltersProps) {
  const { t } = useTranslation()
  return (
    <Button
      variant="subtle"
      color="gray"
      style={isFiltered ? undefined : { visibility: 'hidden' }}
      onClick={onClear}
    >
      {t('calls.clearFilters')}
    </Button>
  )
}
