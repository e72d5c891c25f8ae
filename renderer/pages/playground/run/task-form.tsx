import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { StreamName } from '../../../../preload/contract.ts'
import { shortcutOf } from '../../../components/shortcuts/shortcuts.ts'
import { BookedNotes } from './booked-notes.tsx'
import { ErrorCard } from './error-card.tsx'
import { RunBar, type RunWords } from './run-bar.tsx'
import { RunFigures } from './run-figures.tsx'
import styles from './task.module.css'
import type { Task } from './task.ts'
import { useTaskRunner } from './use-task-runner.ts'

interface TaskFormProps<Name extends StreamName, Draft extends object, Result> {
  task: Task<Name, Draft, Result>
  model: string
  words: RunWords & { failed: string }
  /** The input fields. */
  children: ReactNode
  /** Renders the result; `notes` stand below, with the figures. */
  result: (result: Result) => { content: ReactNode; notes?: readonly string[]; buttons?: ReactNode }
}

export function TaskForm<Name extends StreamName, Draft extends object, Result>({
  task,
  model,
  words,
  children,
  result,
}: TaskFormProps<Name, Draft, Result>) {
  const { t } = useTranslation()
  const [state, runner] = useTaskRunner(task)
  const isRunning = state.phase === 'running'

  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (shortcutOf('playground', event) !== 'run') return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  const shown = state.result === null ? null : result(state.result)

  return (
    <div className={styles.task}>
      <form
        className={styles.column}
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isRunning) runner.run(model)
        }}
      >
        {children}
        <RunBar
          words={words}
          isRunning={isRunning}
          isReady={task.isReady(state.draft)}
          onStop={() => runner.stop()}
          request={() => task.request(model, state.draft)}
        />
        {state.isUnsaved && <p className={styles.note}>{t('chat.unsaved')}</p>}
      </form>
      <section
        className={styles.column}
        aria-label={t('tasks.result')}
        aria-busy={isRunning}
        hidden={state.phase === 'blank' || isRunning}
      >
        {state.failure && (
          <ErrorCard failure={state.failure} title={words.failed} reason={state.booked?.reason} />
        )}
        {state.phase === 'stopped' && <p className={styles.note}>{t('tasks.stopped')}</p>}
        {shown?.content}
        {(shown || state.requestId !== null) && (
          <div className={styles.foot}>
            <span className={styles.figures} role="status">
              <RunFigures duration={state.duration} usage={state.usage} notes={shown?.notes} />
              <BookedNotes requestId={state.requestId} booked={state.booked} />
            </span>
            <span className={styles.buttons}>{shown?.buttons}</span>
          </div>
        )}
      </section>
    </div>
  )
}
