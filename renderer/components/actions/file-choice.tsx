import { FileButton, type FileButtonProps } from '@mantine/core'
import { useRef } from 'react'

/** A button that opens files. The same file can be chosen again, as after it was removed or changed. */
export function FileChoice<Multiple extends boolean = false>(props: FileButtonProps<Multiple>) {
  const forget = useRef<() => void>(null)
  return (
    <FileButton
      {...props}
      resetRef={forget}
      onChange={(chosen) => {
        props.onChange(chosen)
        // Else the browser tells nothing of a file that is chosen twice in a row.
        forget.current?.()
      }}
    />
  )
}
