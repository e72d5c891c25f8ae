/** Remaining steps of an imported item. The console has the same texts in its languages, by these codes. */
export const itemNotes = {
  no_key: 'no key: stays disabled until you enter one',
  key_stays: 'key not copied: the address differs',
  header_again: 'header {of}: enter it again',
  proxy_again: 'proxy: enter it again',
  code_used: 'already used',
  new_key: 'gets a new key',
  no_password: 'no password: set one before signing in',
} as const

export interface ItemNote {
  code: keyof typeof itemNotes
  /** Name of a header; '' where there is none. */
  of: string
}

export const note = (code: ItemNote['code'], of = ''): ItemNote => ({ code, of })

/** In one English line. */
export const detailOf = (fields: readonly string[], notes: readonly ItemNote[]): string =>
  [...fields, ...notes.map(({ code, of }) => itemNotes[code].replace('{of}', of))].join(', ')
