import { Table, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The head of a column of buttons, for screen readers. */
export function ActionsHead({ width }: { width?: number }) {
  const { t } = useTranslation()
  return (
    <Table.Th w={width}>
      <VisuallyHidden>{t('common.actions')}</VisuallyHidden>
    </Table.Th>
  )
}
