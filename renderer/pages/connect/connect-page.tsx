import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation } from 'wouter'
import { Page } from '../../components/layout/page.tsx'
import { roles, useRole } from '../../gateway/use-role.ts'
import { TokensSection } from '../tokens/tokens-section.tsx'
import { DisconnectAll } from './disconnect-all.tsx'
import { ToolsSection } from './tools-section.tsx'

const sections = ['tools', 'tokens'] as const
type Section = (typeof sections)[number]

const pathOf = (section: Section): string => (section === 'tools' ? '/connect' : '/connect/tokens')

/** Files of this machine are the owner's alone; others have their tokens here. */
export function ConnectPage({ params }: { params: { section?: string | undefined } }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const isOwner = useRole() >= roles.owner
  const section = sections.find((one) => one === (params.section ?? 'tools'))
  if (!section) return <Redirect to="/connect" replace />
  if (section === 'tools' && !isOwner) return <Redirect to="/connect/tokens" replace />
  const isTools = section === 'tools'
  return (
    <Page
      title={t('connectTools.title')}
      hint={isTools ? t('connectTools.hint') : t('tokens.hint')}
      actions={
        isTools ? (
          <DisconnectAll />
        ) : (
          <Button
            leftSection={<IconPlus size={14} />}
            onClick={() => navigate('/connect/tokens?new=1')}
          >
            {t('tokens.create')}
          </Button>
        )
      }
    >
      {isOwner && (
        <SegmentedControl
          aria-label={t('connectTools.sections')}
          data={sections.map((one) => ({ value: one, label: t(`connectTools.section_${one}`) }))}
          value={section}
          onChange={(one) => navigate(pathOf(one as Section))}
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      {isTools ? <ToolsSection /> : <TokensSection />}
    </Page>
  )
}
