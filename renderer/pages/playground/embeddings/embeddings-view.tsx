import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../run/copy-button.tsx'
import { TaskForm } from '../run/task-form.tsx'
import { useTaskRunner } from '../run/use-task-runner.ts'
import { embeddingsTask } from './embeddings-task.ts'
import { SimilarityTable } from './similarity-table.tsx'

export function EmbeddingsView({ model }: { model: string }) {
  const { t } = useTranslation()
  const [{ draft }, runner] = useTaskRunner(embeddingsTask)
  return (
    <TaskForm
      task={embeddingsTask}
      model={model}
      words={{
        verb: t('tasks.embed'),
        busy: t('tasks.embedding'),
        failed: t('tasks.noEmbedding'),
      }}
      result={(lines) => ({
        content: <SimilarityTable lines={lines} />,
        buttons: (
          <CopyButton
            text={() => JSON.stringify(lines.map(({ vector }) => vector))}
            label={t('tasks.copyVectors')}
          />
        ),
      })}
    >
      <Textarea
        label={t('tasks.lines')}
        placeholder={t('tasks.linesPlaceholder')}
        autosize
        autoFocus
        minRows={5}
        maxRows={14}
        value={draft.text}
        onChange={(event) => runner.fill({ text: event.currentTarget.value })}
      />
    </TaskForm>
  )
}
