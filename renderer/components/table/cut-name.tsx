import { Tooltip } from '@mantine/core'
import { cloneElement, type ReactElement, type SyntheticEvent, useState } from 'react'

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
    <Tooltip
      label={name}
      disabled={!isCut}
      multiline
      maw={420}
      style={{ overflowWrap: 'anywhere' }}
      events={{ hover: true, focus: true, touch: false }}
    >
      {cloneElement(children, { onPointerEnter: measure, onFocus: measure })}
    </Tooltip>
  )
}
