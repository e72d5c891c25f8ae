import { Alert, Button, Collapse, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { useOperation } from '../../gateway/queries.ts'
import type { ConnectTool, UndoneTool } from '../../gateway/records.ts'
import { MachineNote } from './machine-note.tsx'
import { NewAddressNote } from './new-address.tsx'
import { ToolCards } from './tool-cards.tsx'
import { ToolDrawer } from './tool-drawer.tsx'
import { isFound, isWaiting } from './tool-state.ts'

/** Milliseconds between reads while a tool's first call is awaited. */
const waitingInterval = 2000

function useConnectTools() {
  const [waits, setWaits] = useState(false)
  const query = useOperation('connect.tools', {}, waits ? { refetchInterval: waitingInterval } : {})
  const waitsNow = query.data?.tools.some(isWaiting) ?? false
  if (waitsNow !== waits) setWaits(waitsNow)
  return query
}

/** Every known tool as a card, those that aren't here folded; `?tool=ID` opens one. */
export function ToolsSection() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const [isUnfolded, { toggle }] = useDisclosure(false)
  const query = useConnectTools()
  // By tool; kept here since a card that changes its group is drawn anew.
  const [undone, setUndone] = useState<Record<string, UndoneTool>>({})
  const open = ({ id }: ConnectTool) => {
    forget(id)
    setParams({ tool: id })
  }
  const close = () => setParams({}, { replace: true })
  const forget = (id: string) => setUndone(({ [id]: _, ...others }) => others)
  const finishUndo = (id: string, outcome: UndoneTool) => {
    setUndone((others) => ({ ...others, [id]: outcome }))
    close()
  }

  return (
    <QueryView query={query} verb={t('connectTools.loading')}>
      {({ local, machine, tools }) => {
        // A tool that was just undone stays where it was, since its card says how.
        const found = tools.filter((tool) => isFound(tool) || undone[tool.id])
        const others = tools.filter((tool) => !found.includes(tool))
        const isOpen = isUnfolded || found.length === 0
        const parts = {
          ...{ isLocal: local, undone, onOpen: open },
          ...{ onUndone: finishUndo, onDismiss: forget },
        }
        return (
          <>
            {!local && (
              <Alert role="note" title={t('connectTools.remoteTitle')}>
                {t('connectTools.remote')}
              </Alert>
            )}
            <MachineNote machine={machine} />
            {local && <NewAddressNote tools={tools} />}
            {found.length > 0 && (
              <section aria-labelledby="tools-found">
                <Title order={2} id="tools-found" mb={8}>
                  {t('connectTools.group_found')}
                </Title>
                <ToolCards tools={found} {...parts} />
              </section>
            )}
            {others.length > 0 && (
              <section aria-labelledby="tools-others">
                <Title order={2} id="tools-others" mb={8}>
                  {found.length === 0 ? (
                    t('connectTools.group_others')
                  ) : (
                    <Button
                      variant="subtle"
                      color="gray"
                      ml={-14}
                      onClick={toggle}
                      aria-expanded={isOpen}
                      rightSection={
                        isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />
                      }
                    >
                      {t('connectTools.othersCount', { count: others.length })}
                    </Button>
                  )}
                </Title>
                <Collapse expanded={isOpen}>
                  {isOpen && <ToolCards tools={others} {...parts} />}
                </Collapse>
              </section>
            )}
            <ToolDrawer
              tool={tools.find(({ id }) => id === params.get('tool'))}
              isLocal={local}
              onUndone={finishUndo}
              onClose={close}
            />
          </>
        )
      }}
    </QueryView>
  )
}
