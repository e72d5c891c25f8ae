import { Tooltip, type TooltipProps } from '@mantine/core'

/** Beside an element that stands elsewhere. */
export function PlacedTooltip(props: TooltipProps & { target: HTMLElement }) {
  return <Tooltip {...props} />
}
