import { Button } from '@mantine/core'
import { IconMessage2 } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Empty } from '../../components/empty.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { Composer } from './composer.tsx'
import { ParameterPanel } from './parameter-panel.tsx'
import styles from './playground.module.css'
import { Thread } from './thread.tsx'
import { useConversation } from './use-conversation.ts'

/** A conversation with a model, through the gateway like any other call. */
export function PlaygroundPage() {
  const { t } = useTranslation()
  const models = useOperation('user.models', {})
  const [{ settings }, conversation] = useConversation()
  const known = models.data
  const chosen = settings.model

  // The first model stands until one is chosen, and again when the chosen one is gone.
  useEffect(() => {
    const first = known?.[0]
    if (first && (chosen === null || !known.includes(chosen)))
      conversation.configure({ model: first })
  }, [known, chosen, conversation])

  return (
    <section className={styles.page} aria-label={t('playground.title')}>
      <h1 className={styles.title}>{t('playground.title')}</h1>
      <QueryView query={models} verb={t('playground.loadingModels')}>
        {(list) =>
          list.length === 0 ? (
            <div className={styles.nothing}>
              <Empty
                icon={<IconMessage2 size={20} />}
                title={t('playground.noModels')}
                hint={t('playground.noModelsHint')}
              >
                <Button component={Link} href="/channels?new=1">
                  {t('playground.addChannel')}
                </Button>
              </Empty>
            </div>
          ) : (
            <>
              <div className={styles.talk}>
                <Thread />
                <Composer />
              </div>
              <ParameterPanel models={list} />
            </>
          )
        }
      </QueryView>
    </section>
  )
}
