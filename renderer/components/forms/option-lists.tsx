import * as Mantine from '@mantine/core'
import { type FocusEvent, useState } from 'react'

interface ListProps {
  comboboxProps?: Mantine.ComboboxProps | undefined
  onFocus?: ((event: FocusEvent<HTMLInputElement>) => void) | undefined
  onBlur?: ((event: FocusEvent<HTMLInputElement>) => void) | undefined
}

/**
 * Mantine keeps the options of a closed list in the page, and draws them again with everything around it: hundreds of
 * models in each field. With this they are there while the field has the focus, so that the first arrow key finds them.
 */
function useOptionsOnFocus<Props extends ListProps>(props: Props): Props {
  const [isFocused, setFocused] = useState(false)
  return {
    ...props,
    comboboxProps: { ...props.comboboxProps, keepMounted: isFocused },
    onFocus(event) {
      setFocused(true)
      props.onFocus?.(event)
    },
    onBlur(event) {
      setFocused(false)
      props.onBlur?.(event)
    },
  }
}

export const Autocomplete = (props: Mantine.AutocompleteProps) => (
  <Mantine.Autocomplete {...useOptionsOnFocus(props)} />
)

export const MultiSelect = (props: Mantine.MultiSelectProps) => (
  <Mantine.MultiSelect {...useOptionsOnFocus(props)} />
)

export const Select = <Value extends string = string>(props: Mantine.SelectProps<Value>) => (
  <Mantine.Select {...useOptionsOnFocus(props)} />
)

export const TagsInput = (props: Mantine.TagsInputProps) => (
  <Mantine.TagsInput {...useOptionsOnFocus(props)} />
)
