import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation } from 'wouter'
import { roles, useRole } from '../../gateway/use-role.ts'
import { PricesPage } from '../prices/prices-page.tsx'
import { UsagePage } from './usage-page.tsx'

const sections = ['usage', 'prices'] as const
type Section = (typeof sections)[number]

const pathOf = (section: Section): string => (section === 'usage' ? '/usage' : '/usage/prices')

/** Prices are for administrators. */
export function UsageSections({ params }: { params: { section?: string | undefined } }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const role = useRole()
  const section = sections.find((one) => one === (params.section ?? 'usage'))
  if (!section) return <Redirect to="/usage" replace />
  if (role < roles.administrator) {
    // The role is 0 until it is known.
    return section === 'prices' && role > 0 ? <Redirect to="/usage" replace /> : <UsagePage />
  }
  const tabs = (
    <SegmentedControl
      aria-label={t('usage.sections')}
      data={sections.map((one) => ({ value: one, label: t(`shell.${one}`) }))}
      value={section}
      onChange={(one) => navigate(pathOf(one as Section))}
      style={{ alignSelf: 'flex-start' }}
    />
  )
  return section === 'usage' ? <UsagePage tabs={tabs} /> : <PricesPage tabs={tabs} />
}
