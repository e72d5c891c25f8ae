import { Button, Group, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useOperation } from '../../gateway/queries.ts'
import { isFound } from '../connect/tool-state.ts'
import { ToolStatus } from '../connect/tool-status.tsx'
import styles from './welcome.module.css'

/** The tools that were found, each with the way to its drawer on Connect; nothing where there are none. */
export function InstalledTools() {
  const { t } = useTranslation()
  const connect = useOperation('connect.tools', {})
  const tools = connect.data?.local ? connect.data.tools.filter(isFound) : []
  if (tools.length === 0) return null
  return (
    <section className={styles.choice} aria-labelledby="installed-tools">
      <Title order={3} id="installed-tools">
        {t('connectTools.group_found')}
      </Title>
      <ul className={styles.tools}>
        {tools.map((tool) => {
          const { id, name, kind, status } = tool
          const isEdited = kind === 'file' && status !== 'broken'
          const verb = !isEdited ? 'show' : status === 'here' ? 'change' : 'connect'
          return (
            <li key={id}>
              <Group gap={8}>
                <span>{name}</span>
                <ToolStatus tool={tool} />
              </Group>
              <Button
                component={Link}
                href={`/connect?tool=${id}`}
                variant="default"
                size="compact-sm"
                aria-label={t(`connectTools.${verb}Named`, { name })}
              >
                {t(`connectTools.${verb}`)}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
