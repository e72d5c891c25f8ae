import { Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TaskForm } from '../run/task-form.tsx'
import { useTaskRunner } from '../run/use-task-runner.ts'
import { Ranking } from './ranking.tsx'
import { rerankTask } from './rerank-task.ts'

export function RerankView({ model }: { model: string }) {
  const { t } = useTranslation()
  const [{ draft }, runner] = useTaskRunner(rerankTask)
  return (
    <TaskForm
      task={rerankTask}
      model={model}
      words={{ verb: t('tasks.rank'), busy: t('tasks.ranking'), failed: t('tasks.noRanking') }}
      result={(documents) => ({ content: <Ranking documents={documents} /> })}
    >
      <TextInput
        label={t('tasks.query')}
        placeholder={t('tasks.queryPlaceholder')}
        autoFocus
        value={draft.query}
        onChange={(event) => runner.fill({ query: event.currentTarget.value })}
      />
      <Textarea
        label={t('tasks.documents')}
        placeholder={t('tasks.linesPlaceholder')}
        autosize
        minRows={5}
        maxRows={14}
        value={draft.documents}
        onChange={(event) => runner.fill({ documents: event.currentTarget.value })}
      />
    </TaskForm>
  )
}
