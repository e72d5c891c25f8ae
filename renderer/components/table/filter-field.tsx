import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

/** Milliseconds without a key after which the list is asked for. */
const pause = 200

interface FilterFieldProps {
  value: string
  onChange: (value: string) => void
  label: string
  placeholder?: string
  w?: TextInputProps['w']
  maxLength?: number
  icon?: boolean
}

/** Tells what was typed once typing pauses; takes what comes from elsewhere, such as Back or "Clear filters". */
export function FilterField(props: FilterFieldProps) {
  const { value, onChange, label, placeholder = label, icon = true, ...rest } = props
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const tell = useDebouncedCallback((text: string) => {
    told.current = text
    onChange(text)
  }, pause)
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    tell.cancel()
    setTyped(value)
  }, [value, tell])
  return (
    <TextInput
      {...rest}
      leftSection={icon && <IconSearch size={14} />}
      placeholder={placeholder}
      aria-label={label}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        tell(currentTarget.value)
      }}
    />
  )
}
