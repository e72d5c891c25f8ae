import { Alert, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { QueryView } from '../../components/feedback/query-view.tsx'
import type { ConnectTool, RestoredFile } from '../../gateway/records.ts'
import styles from './connect.module.css'
import { ToolCard } from './tool-card.tsx'
import { ToolDrawer } from './tool-drawer.tsx'
import { groupTools } from './tool-state.ts'
import { useConnectTools } from './use-connect-tools.ts'

/** Every known tool as a card; `?tool=ID` opens one. */
export function ToolsSection() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const query = useConnectTools()
  // By tool; kept here since a card that changes its group is drawn anew.
  const [undone, setUndone] = useState<Record<string, readonly RestoredFile[]>>({})
  const open = ({ id }: ConnectTool) => {
    forget(id)
    setParams({ tool: id })
  }
  const close = () => setParams({}, { replace: true })
  const forget = (id: string) => setUndone(({ [id]: _, ...others }) => others)
  const finishUndo = (id: string, files: readonly RestoredFile[]) => {
    setUndone((others) => ({ ...others, [id]: files }))
    close()
  }

  return (
    <QueryView query={query} verb={t('connectTools.loading')}>
      {({ local, tools }) => (
        <>
          {!local && (
            <Alert role="note" title={t('connectTools.remoteTitle')}>
              {t('connectTools.remote')}
            </Alert>
          )}
          {groupTools(tools).map((group) => (
            <section key={group.id} aria-labelledby={`tools-${group.id}`}>
              <Title order={2} id={`tools-${group.id}`} mb={8}>
                {t(`connectTools.group_${group.id}`)}
              </Title>
              <ul className={styles.cards}>
                {group.tools.map((tool) => (
                  <ToolCard
                    key={tool.id}
                    tool={tool}
                    isLocal={local}
                    undone={undone[tool.id]}
                    onOpen={() => open(tool)}
                    onUndone={(files) => finishUndo(tool.id, files)}
                    onDismiss={() => forget(tool.id)}
                  />
                ))}
              </ul>
            </section>
          ))}
          <ToolDrawer
            tool={tools.find(({ id }) => id === params.get('tool'))}
            isLocal={local}
            onUndone={finishUndo}
            onClose={close}
          />
        </>
      )}
    </QueryView>
  )
}
