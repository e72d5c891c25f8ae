import type { Change } from './changes.ts'

/** Remaining steps of an imported item. The console has the same texts in its languages, by these codes. */
export const itemNotes = {
  goes_to: 'calls go to {of}',
  same_key: 'same key as channel “{of}”',
  opens_gateway: 'may open the gateway to others',
  no_key: 'no key: stays disabled until you enter one',
  key_stays: 'key not copied: the address differs',
  header_again: 'header {of}: enter it again',
  value_again: '{of}: enter it again',
  proxy_again: 'proxy: enter it again',
  code_used: 'already used',
  code_deleted: 'deleted here: stays deleted',
  code_twice: 'twice in the file: the first counts',
  new_key: 'gets a new key',
  channel_missing: 'no channel “{of}”: that target is left out',
  token_missing: 'no token “{of}”: the rules for it are left out',
  no_password: 'no password: set one before signing in',
} as const

export interface ItemNote {
  code: keyof typeof itemNotes
  /** Name of a header, a field or a channel; '' where there is none. */
  of: string
}

export const note = (code: ItemNote['code'], of = ''): ItemNote => ({ code, of })

/** In one English line. */
export const detailOf = (changes: readonly Change[], notes: readonly ItemNote[]): string =>
  [
    ...changes.map(({ field, from, to }) => `${field}: ${from} → ${to}`),
    ...notes.map(({ code, of }) => itemNotes[code].replace('{of}', of)),
  ].join(', ')
