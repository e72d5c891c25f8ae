import { Button } from '@mantine/core'
import { IconMessage2 } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Empty } from '../../components/feedback/empty.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { useOperation } from '../../gateway/queries.ts'
import type { CatalogueEntry } from '../../gateway/records.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import { ChatView } from './chat/chat-view.tsx'
import { EmbeddingsParameters } from './embeddings/embeddings-parameters.tsx'
import { EmbeddingsView } from './embeddings/embeddings-view.tsx'
import { ImageParameters } from './image/image-parameters.tsx'
import { ImageView } from './image/image-view.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { ModelPanel } from './model-panel.tsx'
import type { Mode } from './modes.ts'
import styles from './playground.module.css'
import { RerankParameters } from './rerank/rerank-parameters.tsx'
import { RerankView } from './rerank/rerank-view.tsx'
import { SpeechParameters } from './speech/speech-parameters.tsx'
import { SpeechView } from './speech/speech-view.tsx'
import { TranscriptionParameters } from './transcription/transcription-parameters.tsx'
import { TranscriptionView } from './transcription/transcription-view.tsx'
import { useSelection } from './use-selection.ts'

interface ModeParts {
  View: ComponentType<{ model: string }>
  Parameters: ComponentType
}

const partsOf: Readonly<Record<Exclude<Mode, 'chat'>, ModeParts>> = {
  image: { View: ImageView, Parameters: ImageParameters },
  speech: { View: SpeechView, Parameters: SpeechParameters },
  transcription: { View: TranscriptionView, Parameters: TranscriptionParameters },
  embeddings: { View: EmbeddingsView, Parameters: EmbeddingsParameters },
  rerank: { View: RerankView, Parameters: RerankParameters },
}

export function PlaygroundPage() {
  const { t } = useTranslation()
  const catalogue = useOperation('playground.catalogue', {})
  return (
    <section className={styles.page} aria-label={t('playground.title')} data-fill>
      <h1 className={styles.title}>{t('playground.title')}</h1>
      <QueryView query={catalogue} verb={t('playground.loadingModels')}>
        {(entries) => (entries.length === 0 ? <NoModels /> : <Tryout entries={entries} />)}
      </QueryView>
    </section>
  )
}

function NoModels() {
  const { t } = useTranslation()
  if (useRole() < roles.administrator) {
    return <Nothing title={t('playground.noModels')} hint={t('playground.noModelsForYou')} />
  }
  return (
    <Nothing title={t('playground.noModels')} hint={t('playground.noModelsHint')}>
      <Button component={Link} href="/channels?new=1">
        {t('playground.addChannel')}
      </Button>
    </Nothing>
  )
}

function Tryout({ entries }: { entries: readonly CatalogueEntry[] }) {
  const { entry, mode, chooseModel, chooseMode } = useSelection(entries)
  if (!entry) return null
  const modes = mode && <ModeSwitch entry={entry} mode={mode} onChoose={chooseMode} />
  if (mode === 'chat') {
    return <ChatView entries={entries} model={entry.id} onChooseModel={chooseModel} modes={modes} />
  }
  const { View, Parameters } = mode ? partsOf[mode] : { View: NoMode, Parameters: NoParameters }
  return (
    <>
      <div className={styles.talk}>
        {modes}
        <View model={entry.id} />
      </div>
      <ModelPanel entries={entries} model={entry.id} onChoose={chooseModel}>
        <Parameters />
      </ModelPanel>
    </>
  )
}

function NoMode({ model }: { model: string }) {
  const { t } = useTranslation()
  return <Nothing title={t('tasks.noMode', { model })} hint={t('tasks.noModeHint')} />
}

const NoParameters = () => null

interface NothingProps {
  title: string
  hint: string
  children?: ReactNode
}

function Nothing({ title, hint, children }: NothingProps) {
  return (
    <div className={styles.nothing}>
      <Empty icon={<IconMessage2 size={20} />} title={title} hint={hint}>
        {children}
      </Empty>
    </div>
  )
}
