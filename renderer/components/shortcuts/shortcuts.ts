/**
 * Every shortcut of the console by the part that has it, in the order of the dialog that `?` opens. Handlers ask
 * `shortcutOf`, so a key that stands here is one that works. A key is as `KeyboardEvent.key` names it, in lower case for
 * letters; `mod+` is Ctrl, or ⌘ on a Mac; `1-9` is any of nine.
 */
export const shortcuts = {
  everywhere: {
    search: ['mod+k'],
    shortcuts: ['?'],
    close: ['Escape'],
  },
  calls: {
    find: ['/'],
    next: ['j', 'ArrowDown'],
    previous: ['k', 'ArrowUp'],
    first: ['Home'],
    last: ['End'],
    open: ['Enter'],
    tab: ['1-9'],
    replay: ['r'],
    leave: ['Escape'],
  },
  stream: {
    play: [' '],
    later: ['ArrowDown'],
    earlier: ['ArrowUp'],
    first: ['Home'],
    last: ['End'],
    across: ['ArrowLeft', 'ArrowRight'],
  },
  playground: {
    send: ['Enter'],
    line: ['shift+Enter'],
    run: ['mod+Enter'],
    stop: ['Escape'],
  },
  replay: {
    send: ['mod+Enter'],
  },
  routes: {
    up: ['alt+ArrowUp'],
    down: ['alt+ArrowDown'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>

export type ShortcutArea = keyof typeof shortcuts
export const shortcutAreas = Object.keys(shortcuts) as ShortcutArea[]

export type Shortcut<Area extends ShortcutArea> = keyof (typeof shortcuts)[Area] & string

/** Of `KeyboardEvent` and React's own. */
export interface PressedKey {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** The shortcut of the area that was pressed, or null. */
export function shortcutOf<Area extends ShortcutArea>(
  area: Area,
  event: PressedKey,
): Shortcut<Area> | null {
  const entries: [string, readonly string[]][] = Object.entries(shortcuts[area])
  const found = entries.find(([, keys]) => keys.some((key) => isPressed(key, event)))
  return found ? (found[0] as Shortcut<Area>) : null
}

function isPressed(wanted: string, event: PressedKey): boolean {
  const parts = wanted.split('+')
  const name = parts.pop()
  const isMod = event.ctrlKey || event.metaKey
  if (isMod !== parts.includes('mod') || event.altKey !== parts.includes('alt')) return false
  // With Caps Lock a letter is a capital one; where signs are, such as “?”, differs between keyboards.
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const hasShift = event.shiftKey && (key.length > 1 || /[a-z]/.test(key))
  if (hasShift !== parts.includes('shift')) return false
  return name === '1-9' ? /^[1-9]$/.test(key) : name === key
}

/** Whether a dialog or drawer is open, other than the panel of a call: keys are its own then. */
export const isDialogOpen = (): boolean =>
  document.querySelector('[role=dialog]:not([data-inspector])') !== null

/** Whether keys go into a field here. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
