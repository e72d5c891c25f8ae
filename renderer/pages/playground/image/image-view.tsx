import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TaskForm } from '../run/task-form.tsx'
import { useTaskRunner } from '../run/use-task-runner.ts'
import { imageTask } from './image-task.ts'
import styles from './picture.module.css'
import { PictureCard } from './picture-card.tsx'

export function ImageView({ model }: { model: string }) {
  const { t } = useTranslation()
  const [{ draft }, runner] = useTaskRunner(imageTask)
  return (
    <TaskForm
      task={imageTask}
      model={model}
      words={{
        verb: t('tasks.generate'),
        busy: t('tasks.generating'),
        failed: t('tasks.noPicture'),
      }}
      result={(pictures) => ({
        content: (
          <div className={styles.pictures} data-alone={pictures.length === 1 || undefined}>
            {pictures.map((picture, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: pictures have no name but their place
              <PictureCard key={index} picture={picture} number={index + 1} />
            ))}
          </div>
        ),
      })}
    >
      <Textarea
        label={t('tasks.prompt')}
        placeholder={t('tasks.promptPlaceholder')}
        autosize
        autoFocus
        minRows={3}
        maxRows={12}
        value={draft.prompt}
        onChange={(event) => runner.fill({ prompt: event.currentTarget.value })}
      />
    </TaskForm>
  )
}
