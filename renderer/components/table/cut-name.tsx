import { cloneElement, type ReactElement, type SyntheticEvent, useState } from 'react'
import { Tip } from '../feedback/tip.tsx'

interface CutNameProps {
  name: string
  /** The element that the style sheet cuts with an ellipsis. */
  children: ReactElement<Record<string, unknown>>
}

/** Hover and focus show a name that is cut. */
export function CutName({ name, children }: CutNameProps) {
  const [isCut, setCut] = useState(false)
  const measure = ({ currentTarget }: SyntheticEvent<HTMLElement>) =>
    setCut(currentTarget.scrollWidth > currentTarget.clientWidth)
  return (
    <Tip
      label={name}
      disabled={!isCut}
      multiline
      maw={420}
      style={{ overflowWrap: 'anywhere' }}
      showsOnFocus
    >
      {cloneElement(children, { onPointerEnter: measure, onFocus: measure })}
    </Tip>
  )
}
