import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure, toCallFailure } from '../../gateway/call-failure.ts'
import { FailureNote } from '../feedback/failure-note.tsx'

interface DrawnPartProps {
  /** Of the note’s place. */
  className: string | undefined
  children: ReactNode
}

/** A part of a page. When it can’t be drawn, a note stands in its place, and the rest of the console stays. */
export class DrawnPart extends Component<DrawnPartProps, { failure: unknown }> {
  override state = { failure: null }

  static getDerivedStateFromError(failure: unknown) {
    return { failure }
  }

  override render() {
    const { failure } = this.state
    if (failure === null) return this.props.children
    return (
      <div className={this.props.className}>
        <NotDrawn failure={failure} onRetry={() => this.setState({ failure: null })} />
      </div>
    )
  }
}

function NotDrawn({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  const { message } = toCallFailure(failure)
  const shown = { code: 'internal', message: t('common.notDrawn', { message }), status: 0 }
  return <FailureNote failure={new CallFailure(shown)} onRetry={onRetry} />
}
